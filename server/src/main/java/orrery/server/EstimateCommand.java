package orrery.server;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import orrery.document.IndexPlan;
import orrery.document.ItemBody;
import orrery.model.Bytes;
import orrery.model.ConsistencyLevel;
import orrery.model.IndexingPolicy;
import orrery.model.OrreryException;
import orrery.model.metering.RequestCharge;
import picocli.CommandLine.Command;
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
                    + " 2 when an option is wrong."
        })
final class EstimateCommand implements Callable<Integer> {
    /** The service's limit on an item: 2 MB of UTF-8 JSON. */
    private static final int MAX_ITEM_BYTES = 2 << 20;

    @Spec private CommandSpec spec;

    @Option(
            names = "--item",
            paramLabel = "FILE",
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
            description = {
                "Queries, one a line: RATE DOCUMENTS [KB [RANGES]]",
                "RATE per second; DOCUMENTS that one execution loads, returned or not; KB of each"
                        + " (default: that of the item); RANGES it visits (default: 1, a query with"
                        + " a partition key). Lines that begin with # are comments."
            })
    private @Nullable Path queries;

    @Option(
            names = "--consistency",
            paramLabel = "LEVEL",
            defaultValue = "Session",
            description = {
                "Strong, BoundedStaleness, Session, ConsistentPrefix or Eventual",
                "(default: ${DEFAULT-VALUE}). Reads and queries cost twice at the first two."
            })
    private String consistency;

    @Override
    public Integer call() {
        checkRate("--reads", reads);
        checkRate("--writes", writes);
        ConsistencyLevel level = level();
        ItemBody body = item();
        int bytes = RequestCharge.itemBytes(body.stored().length());
        int leaves =
                IndexPlan.compile(IndexingPolicy.DEFAULT).extract(body.stored(), 0).leafCount();
        List<Estimate.Query> load = queries == null ? List.of() : queries(queries, bytes);
        Estimate estimate = Estimate.of(bytes, leaves, reads, writes, load, level);
        PrintWriter out = spec.commandLine().getOut();
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

    private static List<Estimate.Query> queries(Path file, int itemBytes) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
        List<Estimate.Query> queries = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                try {
                    queries.add(Estimate.Query.parse(line, itemBytes));
                } catch (IllegalArgumentException notAQuery) {
                    throw new StartupException(
                            file
                                    + ", line "
                                    + (i + 1)
                                    + ": '"
                                    + line
                                    + "' is not RATE DOCUMENTS [KB [RANGES]], numbers with spaces"
                                    + " between them. Texts of queries cannot be estimated yet.",
                            notAQuery);
                }
            }
        }
        return queries;
    }

    private static StartupException unreadable(Path file, IOException e) {
        String reason =
                switch (e) {
                    case NoSuchFileException _ -> "there is no such file";
                    case CharacterCodingException _ -> "it is not UTF-8 text";
                    default -> e.toString();
                };
        return new StartupException(file + " cannot be read: " + reason + ".", e);
    }
}
