package orrery.bench;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import orrery.bench.load.LoadGenerator;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code ./orrery bench}. */
@Command(
        name = "./orrery bench",
        sortOptions = false,
        description = {
            "Measures this build of Orrery and prints one table. Takes about 35 minutes, 6 with"
                    + " --quick, and wants the machine for itself.",
            "",
            "Where a figure has a peer, both run in turn in this very run (A B A B ...) after a"
                    + " warm-up, and the medians are compared: a ratio says something about Orrery,"
                    + " a figure mostly something about the machine. The servers, the peers of the"
                    + " reads and the load generator are processes of their own."
        },
        footerHeading = "%nMeasurements:%n",
        footer = {
            "  reads       point reads of a 1 KB item over plain HTTP, 64 connections,",
            "              against a handler in the same HTTP server that returns the same",
            "              bytes (target: half as fast), and against Netty's codec alone",
            "              (for comparison)",
            "  creates     durable creates of 1 KB items by 64 clients without indexing, at",
            "              the engine's door and over HTTP, against RocksDB with the same",
            "              options and 64 threads that each put the item and wait for the",
            "              sync (target: 0.60)",
            "  indexed     the same with every path indexed (20 leaves); RocksDB writes as",
            "              many rows per item, of the same sizes",
            "  batches     items created at the engine's door in transactional batches of 20,",
            "              in bulks of 20 and by a stored procedure that gets 20, full indexing,",
            "              against one by one",
            "  queries     what an index finds, among 1,000,000 items against 10,000 (at most",
            "              1.5 times as long); a scan against RocksDB's iterator and Jackson's",
            "              parser (target: 0.40); a filter and aggregates against PostgreSQL with",
            "              JSONB and indexes on the same values, if it is installed (target: 1)",
            "  creation-order",
            "              items per second of queries that test each item of a range or of a",
            "              key and return them in the order of their creation, against the",
            "              same test in any order (target in the cache: half as fast)",
            "  gathered    all pages of 100,000 distinct values and of 200,000 groups, against",
            "              one pass over the items, in request units",
            "  latency     p50 and p99 over HTTP of reads and of creates at half of the rate",
            "              that saturates the server, sent at a fixed rate and timed from",
            "              when each request was due (target: p99 below 10 ms)",
            "  startup     bin/orrery start until an authenticated request is answered, with",
            "              the start-up cache (0.8 s) and without (3 s), resident memory after",
            "              10 s (300 MB), CPU when idle with 100 containers (1 %% of a core)",
            "  containers  time and memory for 1,000 containers (20 s, 200 MB)",
            "  admission   CPU time to admit a request and to charge it, by one thread and by",
            "              two that share a partition (250 ns); point reads over HTTP of a server",
            "              that meters against one with --no-throttling (at most 3 %% apart)",
            "  splits      the cut of a split with 1,000,000 items against 10,000 (at most",
            "              twice), and p99 of reads and creates in the second around a split",
            "              against the usual (at most 3 times)",
            "  delivered   request units that clients get who always ask for more, with even",
            "              keys (T, within 2 %%) and with one key (T/N)",
            "  isolation   p99 of a tenant's reads while another asks for ten times its own",
            "              budget, against when it does not (at most twice)",
            "  neighbours  p99 of one client's point reads beside each of ten worst inputs of",
            "              another one, against when it is alone, in turn (at most 3 times):",
            "              a query of 48,000 terms, a regular expression that backtracks, a",
            "              cross join, sorts without index, a script that loops, batches of",
            "              2 MB, readers that take 4 MB in drops, 4,000 idle connections, 200",
            "              unsigned requests with half a body, changes of an index policy;",
            "              and beside a tenant who asks for ten times its budget (twice).",
            "              The notes say what the other one was answered, refusals too",
            "  changes     items per second that one reader of a change feed gets at the",
            "              engine's door, against a scan of RocksDB over the same items",
            "              (for comparison)",
            "  table       requests of the Table API per second, against Azurite from npm with its",
            "              data in memory: point reads, filter queries, inserts, batches of 20",
            "              (target: 10 times as many each); the first run installs it",
            "  mongo       inserts, finds and updates per second of MongoDB's Java driver,",
            "              64 threads, each write durable, against mongo-java-server with",
            "              its H2 backend (target: 1), and with its data in memory (target",
            "              for requests by _id: 0.50)",
            "  pipelines   aggregation pipelines per second of the same driver, 4 threads, over",
            "              10,000 documents, against mongo-java-server with its data in memory",
            "              (target: 0.50); a $match and a $group over 1,000,000 documents, and the",
            "              memory that it adds",
            "  gremlin     traversals of the Gremlin API per second, 8 connections, over a graph",
            "              of 100,000 people and 1,000,000 edges, against Gremlin Server with a",
            "              TinkerGraph (target: 0.33 for point reads and 1 hop, 0.067 for 2 and 3",
            "              hops); its load and memory too; the first run installs the server",
            "",
            "How to read it:",
            "  --quick hardly warms anything up: it shows that the benchmarks work.",
            "  The load generator shares the cores with the server. Where there are few, a",
            "  rate is that of both together; the notes below the table give the CPU time",
            "  that the server alone spends per operation. \"Spread\" is the distance between",
            "  the best and the worst round: above 20 %% the machine was not quiet.",
            "  The exit code is 0 when everything was measured, whatever the verdicts.",
            "",
            "Examples:",
            "  ./orrery bench",
            "  ./orrery bench neighbours",
            "  ./orrery bench --quick --only reads,latency",
            "  ./orrery bench --data /mnt/disk/bench     on another disk"
        })
public final class Main implements Callable<Integer> {
    private static final List<Measurement> ALL =
            List.of(
                    new PointReads(),
                    new Creates(Creates.Indexing.NONE),
                    new Creates(Creates.Indexing.FULL),
                    new Batches(),
                    new Queries(),
                    new CreationOrder(),
                    new GatheredQueries(),
                    new Latency(),
                    new StartUp(),
                    new ManyContainers(),
                    new Admission(),
                    new Splits(),
                    new Delivered(),
                    new Isolation(),
                    new Neighbours(),
                    new ChangeReads(),
                    new Entities(),
                    new MongoRequests(),
                    new MongoPipelines(),
                    new Traversals());

    @Spec private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Prints this text.")
    private boolean help;

    @Option(names = "--quick", description = "Shorter and coarser: to see that nothing broke.")
    private boolean quick;

    @Option(
            names = "--only",
            paramLabel = "NAME",
            split = ",",
            description = "Only these measurements, in the order of the table.")
    private @Nullable List<String> only;

    @Parameters(paramLabel = "NAME", arity = "0..*", description = "Measurements, as with --only.")
    private List<String> named = List.of();

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = {
                "Where servers and peers keep their data meanwhile; its disk is the one measured",
                "(default: bench/target/data)."
            })
    private @Nullable Path data;

    @Option(
            names = "--json",
            paramLabel = "FILE",
            description =
                    "Also the table, one JSON object per line (default: bench/target/bench.json).")
    private @Nullable Path json;

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Main()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        List<Measurement> chosen = chosen();
        Path directory = data == null ? target().resolve("data") : data.toAbsolutePath();
        System.out.println(Machine.describe(directory));
        List<Row> rows = new ArrayList<>();
        boolean isComplete = true;
        long start = System.nanoTime();
        try (LoadGenerator load = new LoadGenerator()) {
            Bench bench = new Bench(directory, quick, load);
            for (Measurement measurement : chosen) {
                try {
                    rows.addAll(measurement.run(bench));
                } catch (IOException | RuntimeException e) {
                    // The others are still worth having.
                    isComplete = false;
                    System.err.println("  " + measurement.name() + " failed: " + e);
                    e.printStackTrace();
                }
            }
        }
        System.out.println();
        System.out.print(Table.text(rows));
        System.out.printf(
                Locale.ROOT, "%nmeasured in %d s%n", (System.nanoTime() - start) / 1_000_000_000);
        Path file = json == null ? target().resolve("bench.json") : json;
        Files.writeString(file, Table.json(rows));
        return isComplete ? 0 : 1;
    }

    private List<Measurement> chosen() {
        List<String> names = new ArrayList<>(named);
        if (only != null) {
            names.addAll(only);
        }
        if (names.isEmpty()) {
            return ALL;
        }
        List<String> known = ALL.stream().map(Measurement::name).toList();
        for (String name : names) {
            if (!known.contains(name)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "There is no measurement "
                                + name
                                + ", only "
                                + String.join(", ", known)
                                + ".");
            }
        }
        return ALL.stream().filter(measurement -> names.contains(measurement.name())).toList();
    }

    /** The directory of our own jar. */
    private static Path target() throws Exception {
        URI jar = Main.class.getProtectionDomain().getCodeSource().getLocation().toURI();
        Path directory = Path.of(jar).getParent();
        return directory == null ? Path.of("") : directory;
    }
}
