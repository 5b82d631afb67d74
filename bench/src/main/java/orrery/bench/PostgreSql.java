package orrery.bench;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import orrery.bench.process.JavaProcess;

/**
 * A PostgreSQL of its own with items as JSONB and indexes on what queries ask for. Its own tool
 * {@code pgbench} asks it, with prepared statements over a Unix socket.
 */
final class PostgreSql implements AutoCloseable {
    private static final Path INSTALLED = Path.of("/usr/lib/postgresql");
    private static final Pattern RATE =
            Pattern.compile("tps = ([0-9.]+) \\(without initial connection time\\)");

    /** The cache for data that was read; the server that is compared with it has as much. */
    static final long CACHE_BYTES = 512L << 20;

    private static final int PATIENCE_SECONDS = 60;
    private static final int PORT = 5432;

    /** It refuses to run as root; its package comes with a user. */
    private static final List<String> AS_POSTGRES =
            List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups");

    private final Path programs;
    private final Path data;
    private final Process server;

    private PostgreSql(Path programs, Path data, Process server) {
        this.programs = programs;
        this.data = data;
        this.server = server;
    }

    /** The programs of version 15 or newer, if they are installed. */
    static Optional<Path> find() throws IOException {
        if (!Files.isDirectory(INSTALLED)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(INSTALLED)) {
            return versions.filter(path -> path.getFileName().toString().matches("1[5-9]"))
                    .sorted()
                    .map(path -> path.resolve("bin"))
                    .filter(bin -> Files.isExecutable(bin.resolve("pgbench")))
                    .findFirst();
        }
    }

    static PostgreSql start(Bench bench, Path programs) throws IOException, InterruptedException {
        Path data = bench.fresh("queries-postgres");
        Files.createDirectories(data);
        List<String> user = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            run(List.of("chown", "postgres", data.toString()), "");
            user.addAll(AS_POSTGRES);
        }
        List<String> initialise = new ArrayList<>(user);
        initialise.addAll(
                List.of(
                        programs.resolve("initdb").toString(),
                        "--pgdata=" + data,
                        "--username=postgres",
                        "--auth=trust",
                        "--locale=C",
                        "--encoding=UTF8"));
        run(initialise, "");
        List<String> start = new ArrayList<>(user);
        start.addAll(
                List.of(
                        programs.resolve("postgres").toString(),
                        "-D",
                        data.toString(),
                        "-k",
                        data.toString(),
                        "-p",
                        Integer.toString(PORT),
                        "-c",
                        "listen_addresses=",
                        "-c",
                        "shared_buffers=" + CACHE_BYTES / 1024 + "kB",
                        "-c",
                        "max_wal_size=4GB"));
        Process server =
                new ProcessBuilder(start)
                        .redirectErrorStream(true)
                        .redirectOutput(data.resolveSibling(data.getFileName() + ".log").toFile())
                        .start();
        PostgreSql started = new PostgreSql(programs, data, server);
        try {
            started.awaitAnswer();
        } catch (IOException | InterruptedException e) {
            started.close();
            throw e;
        }
        return started;
    }

    private void awaitAnswer() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (true) {
            try {
                ask("SELECT 1");
                return;
            } catch (IOException notYet) {
                if (!server.isAlive() || System.nanoTime() > deadline) {
                    throw notYet;
                }
            }
        }
    }

    /** Makes the table, copies the items into it, then indexes them. */
    void load(long items, LongFunction<byte[]> body) throws IOException, InterruptedException {
        ask("CREATE TABLE items (body jsonb NOT NULL)");
        Process copy = new ProcessBuilder(psql("COPY items FROM STDIN")).start();
        try (OutputStream in = copy.getOutputStream()) {
            for (long i = 0; i < items; i++) {
                in.write(body.apply(i));
                in.write('\n');
            }
        }
        output(copy, "COPY");
        ask("CREATE INDEX ON items (((body->>'bucket')::bigint))");
        ask("CREATE INDEX ON items ((body->>'state'))");
        ask("VACUUM ANALYZE items");
        ask("CHECKPOINT");
    }

    /** Runs one statement and returns what {@code psql} prints. */
    String ask(String statement) throws IOException, InterruptedException {
        return run(psql(statement), statement);
    }

    private List<String> psql(String statement) {
        return List.of(
                programs.resolve("psql").toString(),
                "-XqAt",
                "-v",
                "ON_ERROR_STOP=1",
                "-h",
                data.toString(),
                "-p",
                Integer.toString(PORT),
                "-U",
                "postgres",
                "-c",
                statement);
    }

    /**
     * Runs a script of {@code pgbench} for some seconds.
     *
     * @return how often a second
     */
    double rate(String script, double seconds) throws IOException, InterruptedException {
        Path file = Files.createTempFile("orrery-bench", ".sql");
        try {
            Files.writeString(file, script);
            String text =
                    run(
                            List.of(
                                    programs.resolve("pgbench").toString(),
                                    "-n",
                                    "-M",
                                    "prepared",
                                    "-T",
                                    Long.toString(Math.max(1, Math.round(seconds))),
                                    "-f",
                                    file.toString(),
                                    "-h",
                                    data.toString(),
                                    "-p",
                                    Integer.toString(PORT),
                                    "-U",
                                    "postgres",
                                    "postgres"),
                            script);
            Matcher rate = RATE.matcher(text);
            if (!rate.find()) {
                throw new IOException("pgbench says no rate: " + text);
            }
            return Double.parseDouble(rate.group(1));
        } finally {
            Files.delete(file);
        }
    }

    private static String run(List<String> command, String what)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        return output(process, command.getFirst() + " " + what);
    }

    private static String output(Process process, String what)
            throws IOException, InterruptedException {
        String text =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0) {
            throw new IOException(what + " failed: " + text);
        }
        return text;
    }

    ProcessHandle process() {
        return server.toHandle();
    }

    @Override
    public void close() {
        JavaProcess.end(server);
        Bench.delete(data);
    }
}
