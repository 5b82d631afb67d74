package orrery.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Changes directories in ways that people do by hand. */
final class FileTrees {
    private FileTrees() {}

    static void delete(Path tree) {
        for (Path path : paths(tree).sorted(Comparator.reverseOrder()).toList()) {
            try {
                Files.delete(path);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    static void copy(Path from, Path to) {
        for (Path path : paths(from).toList()) {
            try {
                Path target = to.resolve(from.relativize(path));
                Files.createDirectories(target.getParent());
                Files.copy(path, target);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    static void replace(Path tree, Path by) {
        delete(tree);
        copy(by, tree);
    }

    private static Stream<Path> paths(Path tree) {
        try (Stream<Path> all = Files.walk(tree)) {
            return List.copyOf(all.toList()).stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
