package orrery.bench;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import orrery.bench.load.Reply;
import orrery.bench.load.SqlCaller;
import orrery.bench.load.SqlMessages;
import orrery.bench.process.Distribution;
import orrery.bench.process.JavaProcess;

/** A server started by {@code bin/orrery start}, as a user starts it. */
final class ServerProcess implements AutoCloseable {
    private static final long PATIENCE_NANOS = 60_000_000_000L;
    private static final int POLL_MILLIS = 2;

    /** Measurements with this option show what a server can do, not what it lets clients have. */
    static final String NO_THROTTLING = "--no-throttling";

    private final Process process;
    private final Path log;
    private final int port;
    private final int tablePort;
    private final int mongoPort;
    private final int gremlinPort;
    private final long launchedNanos;

    private ServerProcess(
            Process process,
            Path log,
            int port,
            int tablePort,
            int mongoPort,
            int gremlinPort,
            long launchedNanos) {
        this.process = process;
        this.log = log;
        this.port = port;
        this.tablePort = tablePort;
        this.mongoPort = mongoPort;
        this.gremlinPort = gremlinPort;
        this.launchedNanos = launchedNanos;
    }

    /** Makes the start-up cache if there is none, so that no measured start has to. */
    static void prepare() throws IOException, InterruptedException {
        new ProcessBuilder(Distribution.launcher(), "prepare").inheritIO().start().waitFor();
    }

    /** Returns at once; see {@link #awaitFirstAnswer}. */
    static ServerProcess launch(Path data, String... flags) throws IOException {
        return launch(data, Map.of(), flags);
    }

    /** Launches one as the first start of a distribution is, and makes no cache either. */
    static ServerProcess launchWithoutCache(Path data) throws IOException {
        return launch(data, Map.of("ORRERY_AOT", "off"));
    }

    private static ServerProcess launch(Path data, Map<String, String> environment, String... flags)
            throws IOException {
        Path log = data.resolveSibling(data.getFileName() + ".log");
        int port = freePort();
        int statusPort = freePort();
        int tablePort = freePort();
        int mongoPort = freePort();
        int gremlinPort = freePort();
        long launched = System.nanoTime();
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Distribution.launcher(),
                                "start",
                                "--data",
                                data.toString(),
                                "--port",
                                Integer.toString(port),
                                "--status-port",
                                Integer.toString(statusPort),
                                "--table-port",
                                Integer.toString(tablePort),
                                "--mongo-port",
                                Integer.toString(mongoPort),
                                "--gremlin-port",
                                Integer.toString(gremlinPort)));
        command.addAll(List.of(flags));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        return new ServerProcess(process, log, port, tablePort, mongoPort, gremlinPort, launched);
    }

    /** Returns when the server answers. */
    static ServerProcess start(Path data, String... flags)
            throws IOException, InterruptedException {
        ServerProcess server = launch(data, flags);
        try {
            server.awaitFirstAnswer(SqlMessages.readAccount());
        } catch (IOException | InterruptedException e) {
            server.close();
            throw e;
        }
        return server;
    }

    /** Sends an authenticated request, again and again until one is answered with 200. */
    void awaitFirstAnswer(byte[] message) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (System.nanoTime() < deadline && process.isAlive()) {
            try (SqlCaller caller = new SqlCaller(port)) {
                Reply reply = caller.call(message);
                if (reply.status() == 200) {
                    return;
                }
                throw new IOException("the server answers with " + reply);
            } catch (ConnectException notYet) {
                Thread.sleep(POLL_MILLIS);
            }
        }
        throw new IOException("the server does not answer; its log says: " + Files.readString(log));
    }

    /** When the command was given. */
    long launchedNanos() {
        return launchedNanos;
    }

    int port() {
        return port;
    }

    int tablePort() {
        return tablePort;
    }

    int mongoPort() {
        return mongoPort;
    }

    int gremlinPort() {
        return gremlinPort;
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    @Override
    public void close() {
        JavaProcess.end(process);
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
