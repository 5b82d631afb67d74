package orrery.server.startup;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The distribution that this process was started from. */
public final class ThisDistribution {
    private static final List<String> LOWEST_PRIORITY = List.of("nice", "-n", "19");
    private static final List<String> LOWEST_PRIORITY_ON_WINDOWS =
            List.of("cmd.exe", "/d", "/c", "start", "\"orrery\"", "/b", "/low", "/wait");

    private ThisDistribution() {}

    /** How eagerly training takes the processor. */
    public enum Priority {
        NORMAL,
        LOWEST
    }

    /** Returns nothing where there is no distribution or its user wants no cache. */
    public static Optional<StartupCache> startupCache(Priority priority, InstantSource clock) {
        @Nullable String named = System.getProperty("orrery.home");
        if (named == null || named.isEmpty() || "off".equals(System.getenv("ORRERY_AOT"))) {
            return Optional.empty();
        }
        Path home = Path.of(named);
        try {
            return Optional.of(
                    new StartupCache(
                            home.resolve("lib").resolve("aot"),
                            madeOf(home),
                            work -> command(priority, home, work),
                            clock));
        } catch (IOException e) {
            // Jars that are being replaced: the server runs on, and its next start looks again.
            return Optional.empty();
        }
    }

    private static String madeOf(Path home) throws IOException {
        StringBuilder all = new StringBuilder();
        all.append(System.getProperty("java.home")).append('\n');
        all.append(System.getProperty("java.vendor.version")).append('\n');
        all.append(System.getProperty("java.vm.version")).append('\n');
        List<String> files = new ArrayList<>(List.of(options(home).toString()));
        files.addAll(List.of(classPath().split(File.pathSeparator, -1)));
        for (String name : files) {
            Path file = Path.of(name);
            all.append(name).append(' ').append(Files.size(file)).append(' ');
            // Whole seconds, because archives and layers of images keep no more.
            all.append(Files.getLastModifiedTime(file).to(TimeUnit.SECONDS)).append('\n');
        }
        return all.toString();
    }

    private static List<String> command(Priority priority, Path home, Path work) {
        boolean isWindows = File.separatorChar == '\\';
        List<String> command = new ArrayList<>();
        if (priority == Priority.LOWEST) {
            command.addAll(isWindows ? LOWEST_PRIORITY_ON_WINDOWS : LOWEST_PRIORITY);
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("@" + options(home));
        command.add("-XX:AOTCacheOutput=" + work.resolve(StartupCache.CACHE));
        command.add("-Djava.io.tmpdir=" + work);
        command.add("-Dorrery.home=" + home);
        command.add("-Dorrery.native.dir=" + home.resolve("lib").resolve("native"));
        command.add("-cp");
        command.add(classPath());
        command.add("orrery.server.Main");
        command.add("train");
        command.add("--server=" + ProcessHandle.current().pid());
        return command;
    }

    private static Path options(Path home) {
        return home.resolve("bin").resolve("jvm.options");
    }

    private static String classPath() {
        return System.getProperty("java.class.path");
    }
}
