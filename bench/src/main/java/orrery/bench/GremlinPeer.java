package orrery.bench;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import orrery.bench.graph.GremlinCaller;
import orrery.bench.process.Distribution;
import orrery.bench.process.JavaProcess;

/**
 * TinkerPop's server with a TinkerGraph, in a process with a class path of its own and with the
 * flags that Orrery's has. The first run installs it beside the data of the measurements.
 */
final class GremlinPeer implements AutoCloseable {
    private static final String VERSION = "3.8.1";
    private static final long PATIENCE_NANOS = 120_000_000_000L;
    private static final int POLL_MILLIS = 20;

    private final Process process;
    private final int port;

    private GremlinPeer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static GremlinPeer start(Bench bench) throws IOException, InterruptedException {
        Path home = bench.directory().resolveSibling("gremlin-server-" + VERSION);
        Path classes = home.resolve("lib");
        if (!Files.exists(classes)) {
            install(home);
        }
        int port = ServerProcess.freePort();
        for (String name : List.of("server.yaml", "graph.properties", "graph.groovy")) {
            String text = resource(name).replace("PORT", Integer.toString(port));
            Files.writeString(home.resolve(name), text);
        }
        Process process =
                new ProcessBuilder(
                                java(),
                                "@" + Distribution.home().resolve("bin/jvm.options"),
                                "-cp",
                                classes + File.separator + "*",
                                "org.apache.tinkerpop.gremlin.server.GremlinServer",
                                "server.yaml")
                        .directory(home.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(home.resolve("log").toFile())
                        .start();
        GremlinPeer started = new GremlinPeer(process, port);
        try {
            started.awaitPort();
        } catch (IOException | InterruptedException e) {
            started.close();
            throw e;
        }
        return started;
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Its libraries get their name when all are there, so that a half of them is none. */
    private static void install(Path home) throws IOException, InterruptedException {
        Files.createDirectories(home);
        Files.writeString(home.resolve("pom.xml"), resource("pom.xml"));
        Path unfinished = home.resolve("lib.part");
        ProcessBuilder maven =
                new ProcessBuilder(
                                "mvn",
                                "-B",
                                "-q",
                                "-Dpeer.version=" + VERSION,
                                "-DincludeScope=runtime",
                                "-DoutputDirectory=" + unfinished,
                                "dependency:copy-dependencies")
                        .directory(home.toFile())
                        .redirectErrorStream(true);
        maven.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = maven.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("Maven cannot install Gremlin Server: " + text);
        }
        Files.move(unfinished, home.resolve("lib"));
    }

    private static String resource(String name) throws IOException {
        String path = "gremlin-server/" + name;
        try (InputStream in = GremlinPeer.class.getResourceAsStream(path)) {
            return new String(
                    Objects.requireNonNull(in, path).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private void awaitPort() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            try (GremlinCaller caller = new GremlinCaller(port, "", "")) {
                caller.call("g.V().count()", "{}");
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
