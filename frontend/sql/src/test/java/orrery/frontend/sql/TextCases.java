package orrery.frontend.sql;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Assertions;

/**
 * Runs a file of cases: an input of one or more lines, a line of four dashes, what must come out,
 * an empty line. Lines that begin with # are comments. {@code -Drewrite=true} writes what comes out
 * into the file, for the difference to be reviewed.
 */
final class TextCases {
    private TextCases() {}

    static void run(String file, UnaryOperator<String> subject) {
        Path path = Path.of("src/test/resources/sql", file);
        List<String> rewritten = new ArrayList<>();
        List<Runnable> checks = new ArrayList<>();
        for (String block : read(path).split("\n\n+", -1)) {
            String comments = lines(block, true);
            String[] parts = (lines(block, false) + "\n").split("\n----\n", 2);
            if (parts.length < 2) {
                rewritten.add(block.strip());
                continue;
            }
            String actual = subject.apply(parts[0]);
            rewritten.add((comments + "\n" + parts[0] + "\n----\n" + actual).strip());
            checks.add(() -> Assertions.assertEquals(parts[1].strip(), actual, parts[0]));
        }
        Assertions.assertFalse(checks.isEmpty(), "no cases in " + file);
        if (Boolean.getBoolean("rewrite")) {
            write(path, String.join("\n\n", rewritten) + "\n");
        } else {
            checks.forEach(Runnable::run);
        }
    }

    private static String lines(String block, boolean comments) {
        return String.join(
                "\n", block.lines().filter(line -> line.startsWith("#") == comments).toList());
    }

    private static String read(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static void write(Path path, String text) {
        try {
            Files.writeString(path, text);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }
}
