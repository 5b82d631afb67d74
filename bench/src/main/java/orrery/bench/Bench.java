package orrery.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import orrery.bench.load.LoadGenerator;

/**
 * State that the measurements of one run share.
 *
 * @param directory where servers and peers keep their data, all on one disk
 * @param isQuick shorter and coarser
 */
record Bench(Path directory, boolean isQuick, LoadGenerator load) {
    /** Clients of every measurement under load. */
    static final int CLIENTS = 64;

    Rounds rounds() {
        return isQuick ? new Rounds(warmUp(), 3, 1) : new Rounds(warmUp(), 5, 3);
    }

    Rounds.WarmUp warmUp() {
        return isQuick ? new Rounds.WarmUp(1, 2, 3) : new Rounds.WarmUp(2, 8, 18);
    }

    /** A directory that does not exist yet. */
    Path fresh(String name) throws IOException {
        Path path = directory.resolve(name);
        delete(path);
        Files.createDirectories(directory);
        return path;
    }

    /** Removes a directory with all that is in it, and the log beside it. */
    static void delete(Path path) {
        try {
            Files.deleteIfExists(path.resolveSibling(path.getFileName() + ".log"));
            if (!Files.exists(path)) {
                return;
            }
            try (Stream<Path> files = Files.walk(path)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
