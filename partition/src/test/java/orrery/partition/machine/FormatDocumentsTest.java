package orrery.partition.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import orrery.partition.api.RequestKind;
import orrery.partition.api.ResponseKind;

/** docs/formats lists every kind of message, command and outcome. */
class FormatDocumentsTest {
    private static final Path DOCUMENTS = Path.of("../docs/formats");

    @ParameterizedTest
    @EnumSource
    void requestIsListed(RequestKind kind) {
        assertThat(section("messages.md", "Requests")).contains(row(kind.number(), kind));
    }

    @ParameterizedTest
    @EnumSource
    void responseIsListed(ResponseKind kind) {
        assertThat(section("messages.md", "Responses")).contains(row(kind.number(), kind));
    }

    private static String row(int number, Enum<?> kind) {
        return "| %d | %s |"
                .formatted(number, kind.name().toLowerCase(Locale.ROOT).replace('_', ' '));
    }

    @ParameterizedTest
    @EnumSource
    void commandIsListed(CommandKind kind) {
        assertThat(section("log.md", "Commands")).contains(row(kind.number(), kind));
    }

    @ParameterizedTest
    @MethodSource
    void outcomeIsListed(String name) {
        assertThat(section("log.md", "Outcomes")).contains("| " + name + " |");
    }

    static Stream<String> outcomeIsListed() {
        return names(Outcome.class);
    }

    /** The names of records in words: {@code WriteItems} is "write items". */
    private static Stream<String> names(Class<?> type) {
        return SealedTypes.of(type).stream()
                .map(record -> record.getSimpleName().replaceAll("(?<=.)([A-Z])", " $1"))
                .map(name -> name.toLowerCase(Locale.ROOT))
                .sorted();
    }

    private static String section(String document, String heading) {
        try {
            String text = Files.readString(DOCUMENTS.resolve(document));
            int start = text.indexOf("\n## " + heading + "\n");
            assertThat(start).as("section %s of %s", heading, document).isNotNegative();
            int end = text.indexOf("\n## ", start + 1);
            return text.substring(start, end < 0 ? text.length() : end);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
