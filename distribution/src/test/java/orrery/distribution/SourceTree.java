package orrery.distribution;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The files that people write, relative to the root of the repository. */
record SourceTree(Path root, List<Path> files) {
    private static final Set<String> NOT_OURS =
            Set.of("target", "node_modules", ".git", ".idea", ".vscode", "orrery-data");

    static SourceTree read() {
        var root = Path.of(System.getProperty("orrery.root", "..")).toAbsolutePath().normalize();
        var files = new ArrayList<Path>();
        try {
            Files.walkFileTree(
                    root,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult preVisitDirectory(
                                Path directory, BasicFileAttributes attributes) {
                            return NOT_OURS.contains(name(directory))
                                    ? FileVisitResult.SKIP_SUBTREE
                                    : FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult visitFile(
                                Path file, BasicFileAttributes attributes) {
                            // In a worktree .git is a file.
                            if (attributes.isRegularFile()
                                    && !NOT_OURS.contains(name(file))
                                    && !name(file).endsWith(".log")) {
                                files.add(root.relativize(file));
                            }
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        files.sort(null);
        return new SourceTree(root, List.copyOf(files));
    }

    byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(root.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String text(Path file) {
        return new String(bytes(file), StandardCharsets.UTF_8);
    }

    List<Path> ending(String... suffixes) {
        return files.stream()
                .filter(file -> Stream.of(suffixes).anyMatch(unix(file)::endsWith))
                .toList();
    }

    static String unix(Path file) {
        return file.toString().replace('\\', '/');
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }
}
