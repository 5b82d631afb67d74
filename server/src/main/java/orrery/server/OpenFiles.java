package orrery.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import orrery.frontend.http.HttpLimits;

/**
 * The files that this process may open, sockets among them. A listener without a file left accepts
 * nobody, so the tables of connections must be full before.
 */
final class OpenFiles {
    /** There on Linux only. Elsewhere the limits are far higher than our own. */
    static final Path LIMITS = Path.of("/proc/self/limits");

    private static final Pattern LINE = Pattern.compile("(?m)^Max open files +([0-9]{1,9}) ");

    private final long limit;

    private OpenFiles(long limit) {
        this.limit = limit;
    }

    static OpenFiles read(Path limits) {
        try {
            Matcher line = LINE.matcher(Files.readString(limits));
            return new OpenFiles(line.find() ? Long.parseLong(line.group(1)) : Long.MAX_VALUE);
        } catch (IOException notLinux) {
            return new OpenFiles(Long.MAX_VALUE);
        }
    }

    /** The limits of a listener whose connections take at most a part of the files. */
    HttpLimits.Builder limits(int part) {
        int usual = HttpLimits.defaults().maxConnections();
        return HttpLimits.builder()
                .maxConnections((int) Math.max(1, Math.min(usual, limit / part)));
    }
}
