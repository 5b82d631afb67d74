package orrery.cluster.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import orrery.model.Bytes;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * Freezes the catalog's log and records. A difference means that a catalog already written can no
 * longer be read. For something new, {@code -Drewrite=true} writes the files.
 */
class CatalogFormatsTest {
    private static final Path DIRECTORY = Path.of("src/test/resources/formats");

    @Test
    void commands() throws IOException {
        Map<String, CatalogCommand> samples = CatalogSamples.commands();
        samples.values()
                .forEach(
                        command -> {
                            CatalogRequest request = CatalogSamples.request(command);
                            assertThat(CatalogRequest.decode(request.encode())).isEqualTo(request);
                        });
        assertThat(samples.values().stream().map(CatalogCommand::kind))
                .containsAll(EnumSet.allOf(CatalogCommandKind.class));
        verify(
                "catalog-commands.hex",
                samples,
                command -> CatalogSamples.request(command).encode());
    }

    @Test
    void outcomes() throws IOException {
        Map<String, CatalogOutcome> samples = CatalogSamples.outcomes();
        samples.values()
                .forEach(
                        outcome -> {
                            BinaryReader in = new BinaryReader(encoded(outcome));
                            assertThat(CatalogOutcome.read(in)).isEqualTo(outcome);
                            in.expectEnd();
                        });
        assertThat(samples.values().stream().map(CatalogOutcome::kind))
                .containsAll(EnumSet.allOf(CatalogOutcome.Kind.class));
        verify("catalog-outcomes.hex", samples, CatalogFormatsTest::encoded);
    }

    @Test
    void records() throws IOException {
        Map<String, Change> samples = CatalogSamples.records();
        samples.values()
                .forEach(
                        change ->
                                assertThat(Change.decode(change.key(), row(change)))
                                        .isEqualTo(change));
        verify("catalog-records.hex", samples, change -> Bytes.wrap(row(change)));
    }

    @Test
    void numbersOfKindsAreDistinct() {
        assertThat(Arrays.stream(CatalogCommandKind.values()).map(CatalogCommandKind::number))
                .doesNotHaveDuplicates();
        assertThat(Arrays.stream(CatalogOutcome.Kind.values()).map(CatalogOutcome.Kind::number))
                .doesNotHaveDuplicates();
    }

    @Test
    void anotherVersionOfACommandIsRefused() {
        byte[] older =
                CatalogSamples.request(new RangeCommand.BeginMerge(1, 2))
                        .encode()
                        .unsafeArray()
                        .clone();
        older[0]--;

        assertThatExceptionOfType(MalformedRecordException.class)
                .isThrownBy(() -> CatalogRequest.decode(Bytes.wrap(older)));
    }

    private static Bytes encoded(CatalogOutcome outcome) {
        BinaryWriter out = new BinaryWriter();
        CatalogOutcome.write(out, outcome);
        return out.toBytes();
    }

    private static byte[] row(Change change) {
        return Objects.requireNonNull(change.encode(Bytes.EMPTY));
    }

    private static <T> void verify(String file, Map<String, T> samples, Function<T, Bytes> encode)
            throws IOException {
        String now =
                samples.entrySet().stream()
                        .map(
                                sample ->
                                        sample.getKey()
                                                + " "
                                                + encode.apply(sample.getValue()).toHex()
                                                + "\n")
                        .collect(Collectors.joining());
        Path path = DIRECTORY.resolve(file);
        if (Boolean.getBoolean("rewrite")) {
            Files.createDirectories(DIRECTORY);
            Files.writeString(path, now);
        }
        assertThat(now).isEqualTo(Files.readString(path));
    }
}
