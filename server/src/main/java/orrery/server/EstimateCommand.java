package orrery.server;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import orrery.document.IndexPlan;
import orrery.document.ItemBody;
import orrery.document.JsonText;
import orrery.model.Bytes;
import orrery.model.ConsistencyLevel;
import orrery.model.IndexingPolicy;
import orrery.model.OrreryException;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;
import orrery.model.SizeLimits;
import orrery.model.metering.RequestCharge;
import orrery.server.client.FileTrouble;
import orrery.server.client.NotEmpty;
import orrery.server.client.OutputOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Says what a load will cost before there is a container for it. */
@Command(
        name = "estimate",
        header = "Estimates the request units of a load.",
        description = {
            "Estimates what a load costs: request units per operation and what they are made of,"
                    + " the throughput to provision, and the number of physical partitions that it"
                    + " gives.",
            "The charges are those that a server would answer, by the same formula. Indexing is the"
                    + " default: every path. No server is needed.",
            "Exit code 0, 1 when a file is unusable or the load is more than a container can have,"
                    + " 2 when an option is wrong.",
            "Example: orrery estimate --item order.json --reads 2000 --writes 800"
        })
final class EstimateCommand implements Callable<Integer> {
    /** The service's limit on an item: 2 MB of UTF-8 JSON. */
    private static final int MAX_ITEM_BYTES = SizeLimits.DEFAULT.maxItemBytes();

    private static final long MAX_ITEMS = 1_000_000_000_000L;

    @Spec private CommandSpec spec;

    @Option(
            names = "--item",
            paramLabel = "FILE",
            converter = NotEmpty.File.class,
            required = true,
            description =
                    "A typical item as your client sends it: JSON, with its id. Spaces count.")
    private Path item;

    @Option(
            names = "--reads",
            paramLabel = "N",
            required = true,
            description = "Point reads per second.")
    private double reads;

    @Option(
            names = "--writes",
            paramLabel = "N",
            required = true,
            description =
                    "Writes per second, counted as creates. A replace costs up to two of them: the"
                            + " table tells.")
    private double writes;

    @Option(
            names = "--queries",
            paramLabel = "FILE",
            converter = NotEmpty.File.class,
            description = {
                "Queries, one a line: RATE DOCUMENTS [KB [RANGES]] or RATE [MATCHES] SELECT ...",
                "RATE per second; DOCUMENTS that one execution loads, returned or not; KB of each"
                        + " (default: that of the item); RANGES it visits (default: 1, a query with"
                        + " a partition key). Lines that begin with # are comments.",
                "Of a text, MATCHES is how many items its filter accepts. What it loads and visits"
                        + " follows from the text, and is printed. Parameters need no values."
            })
    private @Nullable Path queries;

    @Option(
            names = "--items",
            paramLabel = "N",
            description = "Items in the container, for queries that read all of them.")
    private @Nullable Long items;

    @Option(
            names = "--partition-key",
            paramLabel = "PATH",
            split = ",",
            description = {
                "The partition key, as /tenant or /tenant,/user: a query that fixes it visits the"
                        + " range of that key. Without it texts of queries visit all ranges."
            })
    private List<String> partitionKey = List.of();

    @Option(
            names = "--consistency",
            paramLabel = "LEVEL",
            defaultValue = "Session",
            completionCandidates = AccountOptions.Levels.class,
            description = {
                "Strong, BoundedStaleness, Session, ConsistentPrefix or Eventual",
                "(default: ${DEFAULT-VALUE}). Reads and queries cost twice at the first two."
            })
    private String consistency;

    @Mixin private final OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        checkRate("--reads", reads);
        checkRate("--writes", writes);
        ConsistencyLevel level = level();
        ItemBody body = item();
        int bytes = RequestCharge.itemBytes(body.stored().length());
        int leaves =
                IndexPlan.compile(IndexingPolicy.DEFAULT).extract(body.stored(), 0).leafCount();
        List<QueryLine> load = queries == null ? List.of() : queries(queries, container(bytes));
        Estimate estimate = estimate(bytes, leaves, load, level);
        PrintWriter out = spec.commandLine().getOut();
        if (output.isJson()) {
            out.println(JsonText.write(estimate.toJson(bytes, leaves)));
            out.flush();
            if (!estimate.isPossible()) {
                throw new StartupException(estimate.refusal());
            }
            return 0;
        }
        out.printf(
                Locale.ROOT,
                "%s: %d bytes with system properties, %d leaves in the index%n%n",
                item.getFileName(),
                bytes,
                leaves);
        estimate.print(out);
        out.flush();
        if (!estimate.isPossible()) {
            throw new StartupException(estimate.refusal());
        }
        return 0;
    }

    /** More throughput means more partitions, and they make some queries cost more. */
    private Estimate estimate(int bytes, int leaves, List<QueryLine> load, ConsistencyLevel level) {
        int partitions = 1;
        while (true) {
            Estimate estimate =
                    Estimate.of(
                            bytes, leaves, reads, writes, QueryLine.on(load, partitions), level);
            if (!estimate.isPossible() || estimate.ranges() <= partitions) {
                return estimate;
            }
            partitions = estimate.ranges();
        }
    }

    private QueryLine.Container container(int itemBytes) {
        if (items != null && (items < 0 || items > MAX_ITEMS)) {
            throw new ParameterException(
                    spec.commandLine(), "--items must be between 0 and " + MAX_ITEMS + ".");
        }
        List<PropertyPath> paths;
        try {
            paths = partitionKey.stream().map(PropertyPath::parse).toList();
        } catch (IllegalArgumentException notAPath) {
            throw new ParameterException(
                    spec.commandLine(), "--partition-key must be a path such as /tenant.");
        }
        return new QueryLine.Container(
                itemBytes,
                items == null ? OptionalLong.empty() : OptionalLong.of(items),
                paths.isEmpty()
                        ? Optional.empty()
                        : Optional.of(
                                new PartitionKeyDefinition(
                                        paths,
                                        paths.size() == 1
                                                ? PartitionKeyDefinition.Kind.HASH
                                                : PartitionKeyDefinition.Kind.MULTI_HASH,
                                        2,
                                        false)));
    }

    private void checkRate(String option, double value) {
        if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
            throw new ParameterException(
                    spec.commandLine(), option + " must be a rate per second, 0 or more.");
        }
    }

    private ConsistencyLevel level() {
        return Arrays.stream(ConsistencyLevel.values())
                .filter(level -> level.wireName().equalsIgnoreCase(consistency))
                .findAny()
                .orElseThrow(
                        () ->
                                new ParameterException(
                                        spec.commandLine(),
                                        "--consistency must be Strong, BoundedStaleness, Session,"
                                                + " ConsistentPrefix or Eventual, not '"
                                                + consistency
                                                + "'."));
    }

    private ItemBody item() {
        byte[] json;
        try {
            json = Files.readAllBytes(item);
        } catch (IOException e) {
            throw unreadable(item, e);
        }
        if (json.length > MAX_ITEM_BYTES) {
            throw new StartupException(
                    item + " has " + json.length + " bytes; an item may have 2 MB.");
        }
        ItemBody body;
        try {
            body = ItemBody.parse(Bytes.wrap(json));
        } catch (OrreryException refused) {
            throw new StartupException(item + " is not an item: " + refused.text(), refused);
        }
        if (body.id().isEmpty()) {
            throw new StartupException(
                    item + " is not an item: it lacks the property id, which must be text.");
        }
        return body;
    }

    private static List<QueryLine> queries(Path file, QueryLine.Container container) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
        List<QueryLine> queries = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                queries.add(query(file, i + 1, line, container));
            }
        }
        return queries;
    }

    private static QueryLine query(
            Path file, int number, String line, QueryLine.Container container) {
        String place = file + ", line " + number + ": '" + line + "' ";
        try {
            return QueryLine.parse(line, container);
        } catch (StartupException cannotBeEstimated) {
            throw new StartupException(
                    place + "cannot be estimated: " + cannotBeEstimated.getMessage(),
                    cannotBeEstimated);
        } catch (IllegalArgumentException notAQuery) {
            throw new StartupException(
                    place
                            + "is not RATE DOCUMENTS [KB [RANGES]], numbers with spaces between"
                            + " them, nor RATE [MATCHES] SELECT ...",
                    notAQuery);
        }
    }

    private static StartupException unreadable(Path file, IOException e) {
        return new StartupException(file + " cannot be read: " + FileTrouble.reading(e) + ".", e);
    }
}
