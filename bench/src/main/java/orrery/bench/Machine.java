package orrery.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** Facts about the machine that the figures depend on. */
final class Machine {
    private static final int SYNCS = 50;

    private Machine() {}

    /** One line: cores, JDK, how busy it is, and what a sync of its disk costs. */
    static String describe(Path directory) throws IOException {
        int cores = Runtime.getRuntime().availableProcessors();
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        return String.format(
                Locale.ROOT,
                "%s %s, %d cores, load average %.1f, JDK %s, sync of 1 KB in %.2f ms%s",
                System.getProperty("os.name"),
                System.getProperty("os.arch"),
                cores,
                load,
                Runtime.version().feature(),
                syncMillis(directory),
                load > cores / 2.0
                        ? "\nThe machine is busy with something else: only ratios mean anything."
                        : "");
    }

    private static double syncMillis(Path directory) throws IOException {
        Files.createDirectories(directory);
        Path file = directory.resolve("sync-probe");
        double[] times = new double[SYNCS];
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            for (int i = 0; i < SYNCS; i++) {
                long start = System.nanoTime();
                channel.write(ByteBuffer.allocate(1024));
                channel.force(false);
                times[i] = (System.nanoTime() - start) / 1e6;
            }
        } finally {
            Files.deleteIfExists(file);
        }
        return Rounds.median(times);
    }
}
