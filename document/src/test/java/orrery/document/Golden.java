package orrery.document;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads the frozen bytes under {@code formats/}. A change there is a change of the stored data. */
final class Golden {
    private Golden() {}

    static List<String> lines(String name) {
        try (InputStream in = Golden.class.getResourceAsStream("/formats/" + name)) {
            if (in == null) {
                throw new IllegalArgumentException("no golden file " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
