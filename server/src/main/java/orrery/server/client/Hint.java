package orrery.server.client;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Writes commands into messages so that they work as pasted, in this shell and directory. */
public final class Hint {
    /** The data directory that commands take where none is named. */
    public static final String DEFAULT_DATA = "orrery-data";

    /** The launcher says how it was called. */
    private static final String CALLED = "orrery.called";

    private static final String NAME = "orrery";
    private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

    private Hint() {}

    /** Returns a command in backquotes. */
    public static String of(String words) {
        return "`" + program() + " " + words + "`";
    }

    /** Returns a command about a data directory in backquotes. */
    public static String of(String words, Path data) {
        return of(data.equals(Path.of(DEFAULT_DATA)) ? words : words + " --data " + quoted(data));
    }

    /** Returns the program as the person calls it. */
    public static String program() {
        return program(
                Optional.ofNullable(System.getProperty(CALLED)).orElse(""),
                Optional.ofNullable(System.getenv("PATH")).orElse(""));
    }

    static String program(String called, String searchPath) {
        boolean isNamed = called.contains("/");
        return !isNamed || isFoundBy(searchPath, Path.of(called)) ? NAME : quoted(called);
    }

    /** A shell that finds the program by its name passes on the whole path. */
    private static boolean isFoundBy(String searchPath, Path called) {
        return called.isAbsolute()
                && Stream.of(searchPath.split(File.pathSeparator, -1))
                        .map(directory -> Path.of(directory, NAME))
                        .filter(Files::isExecutable)
                        .findFirst()
                        .filter(found -> isSame(found, called))
                        .isPresent();
    }

    private static boolean isSame(Path one, Path other) {
        try {
            return Files.isSameFile(one, other);
        } catch (IOException isGone) {
            return false;
        }
    }

    /** Returns a path as a shell takes it for one word. */
    public static String quoted(Path path) {
        return quoted(path.toString());
    }

    private static String quoted(String text) {
        if (File.separatorChar == '\\') {
            return text.contains(" ") ? "\"" + text + "\"" : text;
        }
        return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
