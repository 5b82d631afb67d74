package orrery.server;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.server.client.Hint;
import orrery.server.client.OutputOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Says whether the server of a data directory runs. */
@Command(
        name = "status",
        header = "Says whether a server runs in a data directory, and where.",
        description = {
            "Says whether a server runs in a data directory, and where it is reached.",
            "Exit code 0 when it runs, 3 when none does, 1 when there is no such data directory.",
            "Example: orrery status --data orrery-data"
        })
final class StatusCommand implements Callable<Integer> {
    private static final int NOT_RUNNING = 3;
    private static final long MEGABYTE = 1 << 20;

    @Spec private CommandSpec spec;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            defaultValue = Hint.DEFAULT_DATA,
            description = "The data directory (default: ${DEFAULT-VALUE}).")
    private Path data;

    @Mixin private final OutputOptions output = new OutputOptions();

    private final Map<String, String> lines = new LinkedHashMap<>();
    private final Map<String, Value> json = new LinkedHashMap<>();

    @Override
    public Integer call() {
        DataDirectory.expect(data);
        boolean isRunning = DataDirectory.isInUse(data);
        Optional<RunFile> run = isRunning ? RunFile.read(data) : Optional.empty();
        line("status", !isRunning ? "not running" : isReady(run) ? "running" : "starting");
        run.ifPresent(this::show);
        line("data", data.toAbsolutePath().normalize().toString());
        disk();
        print();
        return isRunning ? 0 : NOT_RUNNING;
    }

    private static boolean isReady(Optional<RunFile> run) {
        return run.flatMap(RunFile::local).isPresent();
    }

    private void show(RunFile run) {
        lines.put("pid", Long.toString(run.pid()));
        json.put("pid", Value.of(run.pid()));
        if (run.local().isPresent()) {
            line("endpoint", run.endpoint());
            if (!run.tables().isEmpty()) {
                lines.put("tables", run.tables());
                json.put("tableEndpoint", Value.of(run.tables()));
                String connection =
                        StartCommand.tableConnectionString(
                                URI.create(run.tables()),
                                StartCommand.hiddenKey(Optional.of(data)));
                lines.put("", connection);
                json.put("tableConnectionString", Value.of(connection));
            }
            if (!run.mongo().isEmpty()) {
                lines.put("mongodb", run.mongo());
                json.put("mongoEndpoint", Value.of(run.mongo()));
            }
            if (!run.gremlin().isEmpty()) {
                lines.put("gremlin", run.gremlin());
                json.put("gremlinEndpoint", Value.of(run.gremlin()));
            }
            String page = "http://localhost:" + run.statusPort() + "/status";
            lines.put("status page", page);
            json.put("statusPage", Value.of(page));
        }
        if (run.began() > 0) {
            Duration uptime =
                    Duration.between(
                            Instant.ofEpochMilli(run.began()), Clock.systemUTC().instant());
            json.put("uptimeSeconds", Value.of(uptime.toSeconds()));
            lines.put(
                    "uptime",
                    uptime.truncatedTo(ChronoUnit.SECONDS)
                            .toString()
                            .substring("PT".length())
                            .toLowerCase(Locale.ROOT));
        }
    }

    private void line(String name, String value) {
        lines.put(name, value);
        json.put(name, Value.of(value));
    }

    private void print() {
        PrintWriter out = spec.commandLine().getOut();
        if (output.isJson()) {
            out.println(JsonText.write(new Value.Obj(json)));
        } else {
            lines.forEach((name, value) -> out.printf("%-12s %s%n", name, value));
        }
        out.flush();
    }

    private void disk() {
        try {
            long used = sizeOf(data);
            long free = Files.getFileStore(data).getUsableSpace();
            lines.put("disk", used / MEGABYTE + " MB used, " + free / MEGABYTE + " MB free");
            json.put("usedBytes", Value.of(used));
            json.put("freeBytes", Value.of(free));
        } catch (IOException e) {
            line("disk", DataDirectory.reason(e));
        }
    }

    private static long sizeOf(Path root) throws IOException {
        long[] bytes = {0};
        Files.walkFileTree(
                root,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        bytes[0] += attributes.size();
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException failure) {
                        // A running server deletes files while it works.
                        return FileVisitResult.CONTINUE;
                    }
                });
        return bytes[0];
    }
}
