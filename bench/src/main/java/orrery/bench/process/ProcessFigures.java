package orrery.bench.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Reads figures of the operating system about a process. */
public final class ProcessFigures {
    private ProcessFigures() {}

    /** User and system time so far; its unit is usually 10 ms. */
    public static Duration cpu(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    public static double residentMegabytes(ProcessHandle process) throws IOException {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        String kilobytes =
                Files.exists(status)
                        ? Files.readAllLines(status).stream()
                                .filter(line -> line.startsWith("VmRSS:"))
                                .findFirst()
                                .orElseThrow()
                        : fromPs(process);
        return Long.parseLong(kilobytes.replaceAll("[^0-9]", "")) / 1024.0;
    }

    /**
     * Returns the bytes it has written to disks so far; always 0 where the system does not tell.
     */
    public static long writtenBytes(ProcessHandle process) throws IOException {
        Path io = Path.of("/proc", Long.toString(process.pid()), "io");
        if (!Files.isReadable(io)) {
            return 0;
        }
        return Files.readAllLines(io).stream()
                .filter(line -> line.startsWith("write_bytes:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                .sum();
    }

    private static String fromPs(ProcessHandle process) throws IOException {
        Process ps =
                new ProcessBuilder("ps", "-o", "rss=", "-p", Long.toString(process.pid())).start();
        try (var out = ps.inputReader(StandardCharsets.UTF_8)) {
            return String.valueOf(out.readLine());
        }
    }
}
