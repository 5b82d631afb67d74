package orrery.cluster.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** docs/formats/catalog.md lists every kind of record and command. */
class CatalogDocumentTest {
    private final String document;

    CatalogDocumentTest() throws IOException {
        document = Files.readString(Path.of("../docs/formats/catalog.md"));
    }

    @ParameterizedTest
    @EnumSource
    void recordIsListed(CatalogState.Kind kind) {
        String name = kind.name().replace('_', ' ').toLowerCase(Locale.ROOT);

        assertThat(document)
                .contains("| `%02X` |".formatted(kind.ordinal()))
                .containsIgnoringCase("\n## " + name + "\n");
    }

    @ParameterizedTest
    @MethodSource
    void commandIsListed(String name) {
        assertThat(document.substring(document.indexOf("\n## Commands\n")))
                .contains("| " + name + " |");
    }

    /** The names of records in words: {@code BeginSplit} is "begin split". */
    static Stream<String> commandIsListed() {
        return Arrays.stream(CatalogCommand.class.getPermittedSubclasses())
                .map(record -> record.getSimpleName().replaceAll("(?<=.)([A-Z])", " $1"))
                .map(name -> name.toLowerCase(Locale.ROOT))
                .sorted();
    }
}
