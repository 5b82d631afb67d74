package orrery.partition.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import orrery.model.Bytes;

/**
 * Holds stored bytes against {@code formats/*.hex}: lines of a name and hex digits. A difference
 * means that data already written can no longer be read: give the record a new version. For a new
 * record, {@code -Drewrite=true} writes the file.
 */
final class Golden {
    private static final Path DIRECTORY = Path.of("src/test/resources/formats");

    private final Map<String, String> lines = new LinkedHashMap<>();

    Golden add(String name, byte[] bytes) {
        lines.put(name, Bytes.wrap(bytes).toHex());
        return this;
    }

    Golden add(String name, Bytes bytes) {
        return add(name, bytes.unsafeArray());
    }

    void verify(String file) {
        String now =
                lines.entrySet().stream()
                        .map(line -> line.getKey() + " " + line.getValue() + "\n")
                        .collect(Collectors.joining());
        try {
            Path path = DIRECTORY.resolve(file);
            if (Boolean.getBoolean("rewrite")) {
                Files.writeString(path, now);
            }
            assertThat(now).isEqualTo(Files.readString(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
