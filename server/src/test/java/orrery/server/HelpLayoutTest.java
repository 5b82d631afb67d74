package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HelpLayoutTest {
    static Stream<String> pages() {
        return HelpPages.all().entrySet().stream()
                .filter(page -> !page.getKey().equals(HelpPages.INDEX))
                .map(Map.Entry::getValue);
    }

    @Test
    void linesAreBrokenAtSpacesOnly() {
        String text = "such as https://app.example or [--[no-]service-quotas] and .ndjson";
        assertThat(HelpLayout.wrap(text, 24))
                .containsExactly(
                        "such as",
                        "https://app.example or",
                        "[--[no-]service-quotas]",
                        "and .ndjson");
        assertThat(HelpLayout.wrap("a longerThanALine b", 4))
                .containsExactly("a", "longerThanALine", "b");
    }

    @Test
    void breaksOfTheSourceAreNoBreaks() {
        assertThat(
                        HelpLayout.paragraphs(
                                List.of(
                                        "One sentence over",
                                        "two lines.",
                                        "Another.",
                                        "Example: orrery ls",
                                        "  as it is",
                                        "The end.")))
                .containsExactly(
                        "One sentence over two lines.",
                        "Another.",
                        "Example: orrery ls",
                        "  as it is",
                        "The end.");
    }

    @ParameterizedTest
    @MethodSource("pages")
    void aPageBeginsWithTheUsageAndSaysNothingTwice(String page) {
        assertThat(page).startsWith("Usage: orrery");
        assertThat(page.lines().filter(line -> !line.isBlank()).toList()).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void onlyExamplesAreLongerThanALine(String page) {
        assertThat(page.lines().filter(line -> !line.startsWith(HelpLayout.EXAMPLE)))
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(HelpLayout.COLUMNS));
    }

    /** Each line but the last of a paragraph is as full as it can be. */
    @ParameterizedTest
    @MethodSource("pages")
    void noLineIsBrokenTwice(String page) {
        List<String> lines = page.lines().toList();
        for (int i = 1; i < lines.size(); i++) {
            String line = lines.get(i);
            String before = lines.get(i - 1);
            int indent = line.length() - line.stripLeading().length();
            // A name that has a line of its own does not reach over the gap.
            boolean goesOn =
                    indent > 8
                            && before.length() > indent
                            && before.startsWith("  ", indent - 2)
                            && !before.endsWith(".");
            if (goesOn) {
                String word = line.strip().split(" ", 2)[0];
                assertThat(before.length() + 1 + word.length())
                        .as(before + "/" + line)
                        .isGreaterThan(HelpLayout.COLUMNS);
            }
        }
    }

    @Test
    void examplesAreWhole() {
        assertThat(HelpPages.all().get("query.txt"))
                .contains(
                        "\nExample: orrery query food/items \"SELECT TOP 5 c.id, c.kcal FROM c WHERE"
                                + " c.kcal > @low ORDER BY c.kcal\" --param low=300\n");
    }
}
