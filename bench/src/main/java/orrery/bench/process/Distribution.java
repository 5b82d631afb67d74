package orrery.bench.process;

import java.nio.file.Path;

/** Finds the distribution under test. */
public final class Distribution {
    private Distribution() {}

    public static Path home() {
        String home = System.getProperty("orrery.home", "");
        if (home.isEmpty()) {
            throw new IllegalStateException(
                    "the property orrery.home must name a distribution; run ./orrery bench");
        }
        return Path.of(home).toAbsolutePath();
    }

    public static String launcher() {
        boolean isWindows = System.getProperty("os.name", "").startsWith("Windows");
        return home().resolve(isWindows ? "bin/orrery.cmd" : "bin/orrery").toString();
    }
}
