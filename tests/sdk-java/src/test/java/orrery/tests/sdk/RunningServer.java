package orrery.tests.sdk;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A server started from the distribution's command line, in a process of its own. It can be killed
 * and started again on the same directory and the same ports.
 */
final class RunningServer implements AutoCloseable {
    static final Pattern READY_LINE =
            Pattern.compile(
                    "Orrery is ready: endpoint (\\S+)  connection string"
                            + " (AccountEndpoint=(\\S+);AccountKey=(.+);)  certificate (.+)");

    private static final Pattern GREMLIN_LINE =
            Pattern.compile("Gremlin: endpoint ws://localhost:([0-9]+)/ .+");

    private static final Pattern MONGO_LINE = Pattern.compile("MongoDB: connection string (.+)");

    /** The last line of a start. */
    private static final Pattern STATUS_LINE = Pattern.compile("Status: http://.+");

    /** Ends what hangs, and nothing that is slow. */
    private static final int START_SECONDS = 600;

    private static final int STOP_SECONDS = 240;
    private static final int KEPT_LINES = 500;

    /**
     * Below all ports that systems give to who asks for any: a connection that goes out may have
     * one of those when a server is started again on its port.
     */
    private static final int FIRST_PORT = 10_000;

    private static final int LAST_PORT = 32_000;

    private static final Set<Integer> PORTS_GIVEN = ConcurrentHashMap.newKeySet();
    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();
    private static final Set<Path> TEMPORARY = ConcurrentHashMap.newKeySet();
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    static {
        Runtime.getRuntime()
                .addShutdownHook(
                        Thread.ofPlatform()
                                .unstarted(
                                        () -> {
                                            RUNNING.forEach(Process::destroyForcibly);
                                            RUNNING.forEach(process -> process.onExit().join());
                                            TEMPORARY.forEach(RunningServer::deleteTree);
                                        }));
    }

    private final Path data;
    private final List<String> flags;
    private final String javaOptions;
    private final int statusPort;
    private final int tablePort;
    private final int mongoPort;
    private final List<String> output = new ArrayList<>();
    private int port;
    private Process process;
    private Matcher ready;

    private RunningServer(Path data, List<String> flags, String javaOptions) {
        this.data = data;
        this.flags = List.copyOf(flags);
        this.javaOptions = javaOptions;
        this.statusPort = freePort();
        this.tablePort = freePort();
        this.mongoPort = freePort();
        this.port = freePort();
        this.process = launch();
        this.ready = awaitReady();
    }

    /** A server with a new data directory. */
    static RunningServer start(String... flags) {
        return startIn(temporaryDirectory(), flags);
    }

    /** A server on a directory that may hold data already. */
    static RunningServer startIn(Path data, String... flags) {
        return new RunningServer(data, List.of(flags), "");
    }

    /** A server with a new data directory and further flags of its JVM. */
    static RunningServer startWith(String javaOptions, String... flags) {
        return new RunningServer(temporaryDirectory(), List.of(flags), javaOptions);
    }

    /** Deleted when the JVM ends. */
    static Path temporaryDirectory() {
        try {
            Path directory = Files.createTempDirectory("orrery-test-");
            TEMPORARY.add(directory);
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One that nobody listens on now, and that is given once. */
    private static int freePort() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT);
            if (PORTS_GIVEN.add(port) && isFree(port)) {
                return port;
            }
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port)) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the address in the ready line, {@code https://localhost:port/}. */
    String endpoint() {
        return ready.group(1);
    }

    String connectionString() {
        return ready.group(2);
    }

    /** The key in the ready line; only servers without keys of their own print one. */
    String key() {
        return ready.group(4);
    }

    /** The certificate that clients have to trust. */
    Path certificate() {
        return Path.of(ready.group(5));
    }

    String readyLine() {
        return ready.group();
    }

    int port() {
        return port;
    }

    /** The port of the Table API. */
    int tablePort() {
        return tablePort;
    }

    /** The connection string of the MongoDB API, as the start has printed it. */
    String mongoConnectionString() {
        return output().lines()
                .map(MONGO_LINE::matcher)
                .filter(Matcher::matches)
                .map(line -> line.group(1))
                .findFirst()
                .orElseThrow();
    }

    /** The port of the Gremlin API, as the start has printed it. */
    int gremlinPort() {
        return output().lines()
                .map(GREMLIN_LINE::matcher)
                .filter(Matcher::matches)
                .map(line -> Integer.parseInt(line.group(1)))
                .findFirst()
                .orElseThrow();
    }

    Path data() {
        return data;
    }

    long pid() {
        return process.pid();
    }

    boolean isRunning() {
        return process.isAlive();
    }

    /** Everything it printed since the last start, for failure messages. */
    String output() {
        synchronized (output) {
            return String.join("\n", output);
        }
    }

    /** The answer of a page on the status port. */
    HttpResponse<String> status(String path) {
        URI uri = URI.create("http://127.0.0.1:" + statusPort + path);
        try {
            return HTTP.send(
                    HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(uri + "\n" + output(), e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** SIGKILL: nothing in the process gets to run any more. */
    void kill() {
        process.destroyForcibly();
        awaitExit();
    }

    /** SIGTERM, and waits for the end. Returns the exit code. */
    int stop() {
        process.destroy();
        return awaitExit();
    }

    /** On the same directory, ports and flags, after {@link #kill} or {@link #stop}. */
    void restart() {
        if (process.isAlive()) {
            throw new IllegalStateException("the server still runs");
        }
        synchronized (output) {
            output.clear();
        }
        process = launch();
        ready = awaitReady();
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            stop();
        }
        if (TEMPORARY.remove(data)) {
            deleteTree(data);
        }
    }

    private Process launch() {
        List<String> arguments = new ArrayList<>(List.of("start"));
        if (!flags.contains("--ephemeral")) {
            arguments.addAll(List.of("--data", data.toString()));
        }
        arguments.addAll(List.of("--port", Integer.toString(port)));
        arguments.addAll(List.of("--status-port", Integer.toString(statusPort)));
        arguments.addAll(List.of("--table-port", Integer.toString(tablePort)));
        arguments.addAll(List.of("--mongo-port", Integer.toString(mongoPort)));
        arguments.addAll(flags);
        try {
            ProcessBuilder process =
                    new ProcessBuilder(Distribution.command(arguments))
                            .directory(data.toFile())
                            .redirectErrorStream(true);
            if (!javaOptions.isEmpty()) {
                process.environment().put("ORRERY_OPTS", javaOptions);
            }
            Process launched = process.start();
            RUNNING.add(launched);
            return launched;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Matcher awaitReady() {
        CompletableFuture<Matcher> line = new CompletableFuture<>();
        Process started = process;
        // A read of a pipe holds the carrier of a virtual thread, and there may be only two.
        Thread.ofPlatform().daemon().start(() -> readOutput(started, line));
        try {
            Matcher found = line.get(START_SECONDS, TimeUnit.SECONDS);
            Trust.add(Path.of(found.group(5)));
            HttpResponse<String> page = status("/ready");
            if (page.statusCode() != 200) {
                throw new AssertionError(
                        "printed its ready line, but /ready says "
                                + page.statusCode()
                                + page.body());
            }
            return found;
        } catch (ExecutionException | TimeoutException e) {
            process.destroyForcibly();
            throw new AssertionError("the server did not start:\n" + output(), e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void readOutput(Process started, CompletableFuture<Matcher> readyLine) {
        @Nullable Matcher found = null;
        try (BufferedReader reader = started.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                synchronized (output) {
                    if (output.size() < KEPT_LINES) {
                        output.add(line);
                    }
                }
                Matcher matcher = READY_LINE.matcher(line);
                if (matcher.matches()) {
                    found = matcher;
                } else if (found != null && STATUS_LINE.matcher(line).matches()) {
                    readyLine.complete(found);
                }
            }
            readyLine.completeExceptionally(new IllegalStateException("it ended"));
        } catch (IOException e) {
            readyLine.completeExceptionally(e);
        }
    }

    private int awaitExit() {
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
                throw new AssertionError("the server did not stop:\n" + output());
            }
            RUNNING.remove(process);
            return process.exitValue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void deleteTree(Path tree) {
        try (Stream<Path> paths = Files.walk(tree)) {
            paths.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
        } catch (IOException e) {
            // A directory left behind in the temporary directory fails no test.
        }
    }
}
