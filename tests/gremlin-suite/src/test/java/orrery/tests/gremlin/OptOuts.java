package orrery.tests.gremlin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.runner.Description;

/** The tests that do not fit our graphs, each with what the service's Gremlin API does not have. */
record OptOuts(List<Entry> entries) {
    /** Reads the list. */
    static OptOuts read() {
        try (InputStream list =
                Objects.requireNonNull(OptOuts.class.getResourceAsStream("opt-outs.txt"))) {
            return new OptOuts(
                    new String(list.readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .filter(line -> !line.isBlank() && !line.startsWith("#"))
                            .map(Entry::parse)
                            .toList());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /**
     * @param tests a name, in which {@code *} stands for any characters
     */
    record Entry(String tests, String reason, Pattern pattern) {
        private static Entry parse(String line) {
            String[] parts = line.split("\\|", 2);
            if (parts.length != 2 || parts[1].isBlank()) {
                throw new IllegalArgumentException("An entry without a reason: " + line);
            }
            String tests = parts[0].strip();
            return new Entry(
                    tests,
                    parts[1].strip(),
                    Pattern.compile(
                            Stream.of(tests.split("\\*", -1))
                                    .map(Pattern::quote)
                                    .collect(Collectors.joining(".*"))));
        }

        boolean names(Description test) {
            return pattern.matcher(name(test)).matches();
        }
    }

    boolean has(Description test) {
        return entries.stream().anyMatch(entry -> entry.names(test));
    }

    /** Returns the scenario of a feature, and any other test behind its class. */
    private static String name(Description test) {
        String shown = test.getDisplayName();
        int behind = shown.lastIndexOf("(org.apache.tinkerpop.");
        return behind < 0
                ? shown.replaceFirst("\\(.*", "")
                : shown.substring(shown.lastIndexOf('.') + 1, shown.length() - 1)
                        + "."
                        + shown.substring(0, behind);
    }
}
