package orrery.frontend.mongo.command;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.find.FindOptions;
import orrery.query.mongo.match.MatchContext;
import orrery.query.mongo.match.Matcher;

/**
 * {@code aggregate}, of which there is so much that drivers can count: {@code $match}, {@code
 * $skip}, {@code $limit} and a count at the end; and {@code $collStats}. Other stages are refused
 * by name.
 */
final class AggregateCommand {
    /** The options of {@code $currentOp}; there are only active operations. */
    private static final Set<String> CURRENT_OP =
            Set.of(
                    "allUsers",
                    "idleConnections",
                    "idleCursors",
                    "idleSessions",
                    "localOps",
                    "backtrace",
                    "targetAllNodes");

    private final CatalogueCommands databases;
    private final ReadCommands reads;
    private final Explanations explain;
    private final RunningOperations operations;
    private final Batches batches;
    private final InstantSource clock;

    AggregateCommand(
            CatalogueCommands databases,
            ReadCommands reads,
            Explanations explain,
            RunningOperations operations,
            Batches batches,
            InstantSource clock) {
        this.databases = databases;
        this.reads = reads;
        this.explain = explain;
        this.operations = operations;
        this.batches = batches;
        this.clock = clock;
    }

    void addTo(CommandTable table) {
        table.read(
                "aggregate",
                Set.of(
                        "pipeline",
                        "cursor",
                        "explain",
                        "allowDiskUse",
                        "bypassDocumentValidation",
                        "collation",
                        "hint",
                        "let"),
                this::aggregate);
    }

    /** A pipeline as far as it is understood. */
    private static final class Plan {
        private final List<Value> filters = new ArrayList<>();
        private long skip;
        private long limit;
        private @Nullable String countName;
        private @Nullable Value groupId;

        private boolean isCounted() {
            return countName != null;
        }

        private boolean isCut() {
            return skip > 0 || limit > 0;
        }
    }

    private Bytes aggregate(CommandRequest request) {
        Arguments arguments = request.arguments();
        if (Value.of(1).equals(request.first())) {
            return databasePipeline(request);
        }
        List<Value> stages = stages(request);
        Namespace namespace = request.namespace();
        if (arguments.flag("explain", false)) {
            return explain.queryPlanner(request, reading(request));
        }
        Arguments cursor =
                arguments
                        .inner("cursor")
                        .orElseThrow(
                                () ->
                                        MongoCode.FAILED_TO_PARSE.failure(
                                                "The 'cursor' option is required, except for"
                                                        + " aggregate with the explain argument"));
        cursor.allowOnly(Set.of("batchSize"));
        Optional<Bytes> statistics = statistics(request, namespace, stages);
        if (statistics.isPresent()) {
            return one(namespace, statistics.get());
        }
        Plan plan = plan(stages);
        Reading reading = reading(request, plan);
        return plan.isCounted()
                ? counted(request, plan, reading)
                : found(request, reading, cursor.size("batchSize"));
    }

    /** Over a database there is {@code $currentOp} of admin, and conditions on what it gives. */
    private Bytes databasePipeline(CommandRequest request) {
        List<Value> stages = pipeline(request);
        if (stages.isEmpty()
                || !(stages.getFirst() instanceof Value.Obj(Map<String, Value> first))
                || !(first.get("$currentOp") instanceof Value.Obj wanted)) {
            throw MongoCode.NOT_IMPLEMENTED.failure(
                    "pipelines over a whole database are supported with $currentOp only");
        }
        if (!request.database().equals("admin")) {
            throw MongoCode.INVALID_NAMESPACE.failure(
                    "$currentOp must be run against the 'admin' database with {aggregate: 1}");
        }
        new Arguments("$currentOp", wanted).allowOnly(CURRENT_OP);
        Plan plan = plan(stages.subList(1, stages.size()));
        if (plan.isCounted() || plan.isCut()) {
            throw MongoCode.NOT_IMPLEMENTED.failure("only $match is supported behind $currentOp");
        }
        Matcher filter = Matcher.compile(filter(plan.filters), MatchContext.of(clock.instant()));
        return batches.first(
                request,
                request.database() + ".$cmd.aggregate",
                operations.described().stream()
                        .filter(filter::matches)
                        .map(BsonCodec::write)
                        .toList());
    }

    private static List<Value> pipeline(CommandRequest request) {
        return request.arguments()
                .array("pipeline")
                .orElseThrow(() -> request.arguments().missing("pipeline"));
    }

    private static List<Value> stages(CommandRequest request) {
        if (!(request.first() instanceof Value.Text)) {
            throw MongoCode.NOT_IMPLEMENTED.failure(
                    "pipelines over a whole database are not supported");
        }
        return pipeline(request);
    }

    /** Returns the read that the pipeline of a command makes. */
    Reading reading(CommandRequest request) {
        return reading(request, plan(stages(request)));
    }

    private Reading reading(CommandRequest request, Plan plan) {
        Arguments arguments = request.arguments();
        FindOptions options =
                FindOptions.of(filter(plan.filters))
                        .within(plan.skip, plan.limit)
                        .withLet(reads.let(arguments))
                        .withCollation(arguments.document("collation").orElse(FindOptions.NONE))
                        .at(clock.instant());
        return reads.reading(request, plan.isCounted() ? options.counted() : options);
    }

    private Bytes counted(CommandRequest request, Plan plan, Reading reading) {
        long count = reads.count(request, reading);
        if (count == 0) {
            return Batches.nothing(reading.namespace().toString());
        }
        Doc row = new Doc();
        Value id = plan.groupId;
        if (id != null) {
            row.put("_id", id);
        }
        return one(
                reading.namespace(),
                BsonCodec.write(row.putCount(String.valueOf(plan.countName), count).build()));
    }

    private Bytes found(CommandRequest request, Reading reading, OptionalInt size) {
        return reading.container().isEmpty()
                ? Batches.nothing(reading.namespace().toString())
                : batches.first(
                        request,
                        reading.container().get(),
                        reading.cursor(request.session()),
                        size,
                        false);
    }

    private static Bytes one(Namespace namespace, Bytes row) {
        return RawDocuments.cursor("firstBatch", List.of(row), 0, namespace.toString(), Replies.OK);
    }

    private static Value.Obj filter(List<Value> filters) {
        return switch (filters.size()) {
            case 0 -> FindOptions.NONE;
            case 1 -> (Value.Obj) filters.getFirst();
            default -> new Doc().put("$and", filters).build();
        };
    }

    private static Plan plan(List<Value> stages) {
        Plan plan = new Plan();
        for (Value stage : stages) {
            if (!(stage instanceof Value.Obj(Map<String, Value> fields)) || fields.size() != 1) {
                throw MongoCode.failure(
                        40323,
                        "A pipeline stage specification object must contain exactly one field.");
            }
            Map.Entry<String, Value> only = fields.entrySet().iterator().next();
            add(plan, only.getKey(), only.getValue());
        }
        return plan;
    }

    private static void add(Plan plan, String name, Value operand) {
        boolean isLate = plan.isCounted();
        switch (name) {
            case "$match" -> {
                if (isLate || plan.isCut()) {
                    throw order(name);
                }
                if (!(operand instanceof Value.Obj)) {
                    throw MongoCode.failure(
                            15959, "the match filter must be an expression in an object");
                }
                plan.filters.add(operand);
            }
            case "$skip" -> {
                if (isLate || plan.isCut()) {
                    throw order(name);
                }
                plan.skip = whole(name, operand, 0);
            }
            case "$limit" -> {
                if (isLate || plan.limit > 0) {
                    throw order(name);
                }
                plan.limit = whole(name, operand, 1);
            }
            case "$count" -> {
                if (isLate) {
                    throw order(name);
                }
                plan.countName = operand instanceof Value.Text(String field) ? field : "";
                if (plan.countName.isEmpty() || plan.countName.startsWith("$")) {
                    throw MongoCode.failure(
                            40156, "the count field must be a non-empty string without a $");
                }
            }
            case "$group" -> {
                if (isLate) {
                    throw order(name);
                }
                group(plan, operand);
            }
            default ->
                    throw name.startsWith("$")
                            ? MongoCode.NOT_IMPLEMENTED.failure(
                                    "the pipeline stage " + name + " is not supported")
                            : MongoCode.failure(
                                    40324, "Unrecognized pipeline stage name: '" + name + "'");
        }
    }

    /** The group by which drivers count: one of all documents, with a sum of ones. */
    private static void group(Plan plan, Value operand) {
        if (operand instanceof Value.Obj(Map<String, Value> fields) && fields.size() == 2) {
            Value id = fields.get("_id");
            for (Map.Entry<String, Value> each : fields.entrySet()) {
                boolean isCount =
                        !each.getKey().equals("_id")
                                && each.getValue() instanceof Value.Obj(Map<String, Value> sum)
                                && sum.size() == 1
                                && Value.of(1).equals(sum.get("$sum"));
                if (isCount && (id instanceof Value.Int || id == Value.Null.NULL)) {
                    plan.groupId = id;
                    plan.countName = each.getKey();
                    return;
                }
            }
        }
        throw MongoCode.NOT_IMPLEMENTED.failure(
                "the pipeline stage $group is supported only as {_id: null, n: {$sum: 1}}");
    }

    private static OrreryException order(String name) {
        return MongoCode.NOT_IMPLEMENTED.failure(
                "the pipeline stage " + name + " is not supported in this place");
    }

    private static long whole(String name, Value operand, long least) {
        Optional<java.math.BigDecimal> number = Arguments.number(operand);
        try {
            long value = number.orElseThrow(ArithmeticException::new).longValueExact();
            if (value >= least) {
                return value;
            }
        } catch (ArithmeticException notWhole) {
            // Falls through to the refusal, which is the same for both.
        }
        throw MongoCode.failure(
                name.equals("$skip") ? 15956 : 15958,
                "invalid argument to " + name + " stage: it needs a whole number from " + least);
    }

    // ---- $collStats

    private Optional<Bytes> statistics(
            CommandRequest request, Namespace namespace, List<Value> stages) {
        if (stages.size() != 1
                || !(stages.getFirst() instanceof Value.Obj(Map<String, Value> fields))
                || !(fields.get("$collStats") instanceof Value.Obj wanted)) {
            return Optional.empty();
        }
        Arguments parts = new Arguments("$collStats", wanted);
        parts.allowOnly(Set.of("count", "storageStats"));
        Doc row = new Doc().put("ns", namespace.toString()).putDate("localTime", clock.millis());
        parts.inner("storageStats")
                .ifPresent(
                        storage ->
                                row.put(
                                        "storageStats",
                                        databases.statistics(
                                                request,
                                                namespace,
                                                Math.max(1, storage.whole("scale").orElse(1)))));
        if (parts.document("count").isPresent()) {
            row.put(
                    "count",
                    databases
                            .statistics(request, namespace, 1)
                            .build()
                            .properties()
                            .getOrDefault("count", Value.of(0)));
        }
        return Optional.of(BsonCodec.write(row.build()));
    }
}
