package orrery.bench;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import orrery.bench.load.SqlCaller;
import orrery.bench.load.TableMessages;
import orrery.bench.process.JavaProcess;

/**
 * The emulator of Azure Tables from npm, with its entities in memory. The first run installs it
 * beside the data of the measurements.
 */
final class Azurite implements AutoCloseable {
    private static final String VERSION = "3.37.0";
    private static final long PATIENCE_NANOS = 60_000_000_000L;
    private static final int POLL_MILLIS = 20;

    private final Process process;
    private final int port;

    private Azurite(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static Azurite start(Bench bench) throws IOException, InterruptedException {
        Path home = bench.directory().resolveSibling("azurite-" + VERSION);
        Path program = home.resolve("node_modules/azurite/dist/src/table/main.js");
        if (!Files.exists(program)) {
            install(home);
        }
        int port = ServerProcess.freePort();
        Process process =
                new ProcessBuilder(
                                "node",
                                program.toString(),
                                "--inMemoryPersistence",
                                "--disableTelemetry",
                                "--skipApiVersionCheck",
                                "--silent",
                                "--tableHost",
                                "127.0.0.1",
                                "--tablePort",
                                Integer.toString(port))
                        .redirectErrorStream(true)
                        .redirectOutput(home.resolve("log").toFile())
                        .start();
        Azurite started = new Azurite(process, port);
        try {
            started.createTable();
        } catch (IOException | InterruptedException e) {
            started.close();
            throw e;
        }
        return started;
    }

    private static void install(Path home) throws IOException, InterruptedException {
        Files.createDirectories(home);
        Process npm =
                new ProcessBuilder(
                                List.of(
                                        "npm",
                                        "install",
                                        "--prefix",
                                        home.toString(),
                                        "--ignore-scripts",
                                        "--no-audit",
                                        "--no-fund",
                                        "azurite@" + VERSION))
                        .redirectErrorStream(true)
                        .start();
        String text = new String(npm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (npm.waitFor() != 0) {
            throw new IOException("npm cannot install Azurite: " + text);
        }
    }

    private void createTable() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            try (SqlCaller caller = new SqlCaller(port)) {
                caller.expect(201, new TableMessages(port).createTable());
                return;
            } catch (ConnectException notYet) {
                if (!process.isAlive() || System.nanoTime() > deadline) {
                    throw notYet;
                }
                Thread.sleep(POLL_MILLIS);
            }
        }
    }

    int port() {
        return port;
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    @Override
    public void close() {
        JavaProcess.end(process);
    }
}
