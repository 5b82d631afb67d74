package orrery.cluster.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** docs/formats/catalog.md lists every kind of record, command and outcome. */
class CatalogDocumentTest {
    private final String document;

    CatalogDocumentTest() throws IOException {
        document = Files.readString(Path.of("../docs/formats/catalog.md"));
    }

    @ParameterizedTest
    @EnumSource
    void recordIsListed(Change.Kind kind) {
        String name = words(kind);

        assertThat(document)
                .contains("| `%02X` |".formatted(kind.ordinal()))
                .containsIgnoringCase("\n## " + name + "\n");
    }

    @ParameterizedTest
    @EnumSource
    void commandIsListed(CatalogCommandKind kind) {
        assertThat(section("Commands")).contains("| " + kind.number() + " | " + words(kind) + " |");
    }

    @ParameterizedTest
    @EnumSource
    void outcomeIsListed(CatalogOutcome.Kind kind) {
        assertThat(section("Outcomes")).contains("| " + kind.number() + " | " + words(kind) + " |");
    }

    private String section(String name) {
        int start = document.indexOf("\n## " + name + "\n");
        int end = document.indexOf("\n## ", start + 1);
        return document.substring(start, end < 0 ? document.length() : end);
    }

    /** {@code BEGIN_SPLIT} is "begin split". */
    private static String words(Enum<?> kind) {
        return kind.name().replace('_', ' ').toLowerCase(Locale.ROOT);
    }
}
