package orrery.frontend.mongo.command;

import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import orrery.document.Value;
import orrery.frontend.mongo.cursor.PipelineCursor;
import orrery.gateway.api.Items;
import orrery.model.Bytes;
import orrery.query.mongo.Collation;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoNumbers;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.aggregate.Documents;
import orrery.query.mongo.aggregate.ListDocuments;
import orrery.query.mongo.aggregate.MergeSpec;
import orrery.query.mongo.aggregate.Pipeline;
import orrery.query.mongo.aggregate.PipelineReader;
import orrery.query.mongo.aggregate.PushDown;
import orrery.query.mongo.aggregate.Stage;
import orrery.query.mongo.expression.ExpressionContext;
import orrery.query.mongo.find.FindOptions;

/**
 * {@code aggregate}. The beginning of a pipeline is a query that partitions answer; the stages that
 * are left are run here, over what comes of it. A pipeline of which nothing is left is a cursor
 * like that of a find.
 */
final class AggregateCommand {
    private static final String CURRENT_OP = "$currentOp";

    /** Stages whose documents are about the server and not about a collection. */
    private static final Set<String> OF_SERVER = Set.of(CURRENT_OP, LocalSessions.STAGE);

    /** The options of {@code $currentOp}; there are only active operations. */
    private static final Set<String> CURRENT_OP_OPTIONS =
            Set.of(
                    "allUsers",
                    "idleConnections",
                    "idleCursors",
                    "idleSessions",
                    "localOps",
                    "backtrace",
                    "targetAllNodes");

    private final Items items;
    private final Catalogue catalogue;
    private final CatalogueCommands databases;
    private final ReadCommands reads;
    private final Explanations explain;
    private final RunningOperations operations;
    private final LocalSessions sessions;
    private final IndexUses uses;
    private final Batches batches;
    private final ChangeStreams changes;
    private final WriteTargets writes;
    private final ObjectIds ids;
    private final SecureRandom random;
    private final InstantSource clock;

    AggregateCommand(
            Items items,
            Catalogue catalogue,
            CatalogueCommands databases,
            ReadCommands reads,
            Explanations explain,
            RunningOperations operations,
            LocalSessions sessions,
            IndexUses uses,
            Batches batches,
            ChangeStreams changes,
            SecureRandom random,
            InstantSource clock) {
        this.items = items;
        this.catalogue = catalogue;
        this.databases = databases;
        this.reads = reads;
        this.explain = explain;
        this.operations = operations;
        this.sessions = sessions;
        this.uses = uses;
        this.batches = batches;
        this.changes = changes;
        this.writes = new WriteTargets(items, batches, clock);
        this.ids = new ObjectIds(random, clock);
        this.random = random;
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

    private Bytes aggregate(CommandRequest request) {
        Value.Obj collation = collation(request);
        ExpressionContext context = context(request, collation);
        List<Value> stages = stages(request);
        boolean isExplained = request.arguments().flag("explain", false);
        Optional<Value> watched = isExplained ? Optional.empty() : StreamStage.find(stages);
        if (watched.isPresent()) {
            return changes.open(
                    request,
                    watched.get(),
                    stages.subList(1, stages.size()),
                    context,
                    batchSize(request));
        }
        Pipeline pipeline = new PipelineReader(context).read(stages);
        Optional<Namespace> namespace = namespace(request, pipeline);
        if (isExplained) {
            return explain.queryPlanner(request, reading(request));
        }
        OptionalInt size = batchSize(request);
        Run run = new Run(request, context, namespace, reads(request, collation), size);
        return run.of(pipeline);
    }

    private static OptionalInt batchSize(CommandRequest request) {
        Arguments cursor =
                request.arguments()
                        .inner("cursor")
                        .orElseThrow(
                                () ->
                                        MongoCode.FAILED_TO_PARSE.failure(
                                                "The 'cursor' option is required, except for"
                                                        + " aggregate with the explain argument"));
        cursor.allowOnly(Set.of("batchSize"));
        return cursor.size("batchSize");
    }

    private static List<Value> stages(CommandRequest request) {
        return request.arguments()
                .array("pipeline")
                .orElseThrow(() -> request.arguments().missing("pipeline"));
    }

    private static Value.Obj collation(CommandRequest request) {
        return request.arguments().document("collation").orElse(FindOptions.NONE);
    }

    private ExpressionContext context(CommandRequest request, Value.Obj collation) {
        Instant now = clock.instant();
        return new ExpressionContext(
                Collation.order(collation),
                reads.let(request.arguments()),
                now,
                now.toEpochMilli());
    }

    private PipelineReads reads(CommandRequest request, Value.Obj collation) {
        return new PipelineReads(items, catalogue, request.database(), collation, random, uses);
    }

    /** Empty for a pipeline over a database, which must have documents of its own. */
    private static Optional<Namespace> namespace(CommandRequest request, Pipeline pipeline) {
        Optional<Stage> first = pipeline.stages().stream().findFirst();
        boolean isOfDatabase =
                first.filter(
                                stage ->
                                        stage instanceof Stage.Documents
                                                || (stage instanceof Stage.Source source
                                                        && OF_SERVER.contains(source.name())))
                        .isPresent();
        if (MongoOrder.isNumber(request.first())
                && MongoNumbers.whole(request.first()).equals(OptionalLong.of(1))) {
            if (!isOfDatabase) {
                throw MongoCode.INVALID_NAMESPACE.failure(
                        "{aggregate: 1} is not valid for '"
                                + firstName(request)
                                + "'; a collection is required.");
            }
            return Optional.empty();
        }
        if (isOfDatabase) {
            throw MongoCode.INVALID_NAMESPACE.failure(
                    "'" + firstName(request) + "' can only be run with {aggregate: 1}");
        }
        return Optional.of(request.namespace());
    }

    private static String firstName(CommandRequest request) {
        return stages(request).stream()
                .findFirst()
                .map(stage -> ((Value.Obj) stage).properties().keySet().iterator().next())
                .orElse("");
    }

    /** Returns the read that the pipeline of a command makes. */
    Reading reading(CommandRequest request) {
        Value.Obj collation = collation(request);
        ExpressionContext context = context(request, collation);
        Pipeline pipeline = new PipelineReader(context).read(stages(request));
        if (namespace(request, pipeline).isEmpty()
                || pipeline.stages().stream().anyMatch(Stage.Source.class::isInstance)) {
            throw MongoCode.NOT_IMPLEMENTED.failure(
                    "explain is not supported for " + firstName(request));
        }
        return reading(request, PushDown.of(pipeline), context, collation);
    }

    private Reading reading(
            CommandRequest request,
            PushDown parts,
            ExpressionContext context,
            Value.Obj collation) {
        return reads.reading(
                request,
                parts.options().withLet(context.let()).withCollation(collation).at(context.now()));
    }

    /** A pipeline on its way to the first batch. */
    private final class Run {
        private final CommandRequest request;
        private final ExpressionContext context;
        private final Optional<Namespace> namespace;
        private final PipelineReads documents;
        private final OptionalInt size;

        Run(
                CommandRequest request,
                ExpressionContext context,
                Optional<Namespace> namespace,
                PipelineReads documents,
                OptionalInt size) {
            this.request = request;
            this.context = context;
            this.namespace = namespace;
            this.documents = documents;
            this.size = size;
        }

        Bytes of(Pipeline pipeline) {
            List<Stage> stages = pipeline.stages();
            return switch (stages.isEmpty() ? null : stages.getLast()) {
                case Stage.Out out -> {
                    requireNotLinearizable("$out");
                    yield replaced(pipeline, out);
                }
                case Stage.Merge(MergeSpec spec) -> {
                    requireNotLinearizable("$merge");
                    yield merged(pipeline, spec);
                }
                case null, default -> read(pipeline);
            };
        }

        /** What is read there must not depend on writes that are about to happen. */
        private void requireNotLinearizable(String stage) {
            boolean isLinearizable =
                    request.arguments()
                            .inner("readConcern")
                            .flatMap(concern -> concern.text("level"))
                            .filter("linearizable"::equals)
                            .isPresent();
            if (isLinearizable) {
                throw MongoCode.INVALID_OPTIONS.failure(
                        stage + " cannot be used with a 'linearizable' read concern level");
            }
        }

        private Bytes read(Pipeline pipeline) {
            List<Stage> stages = pipeline.stages();
            if (!stages.isEmpty() && stages.getFirst() instanceof Stage.Source source) {
                List<Value.Obj> rows = source(source);
                return opened(stages.subList(1, stages.size()), new ListDocuments(rows));
            }
            if (namespace.isEmpty()) {
                return opened(stages, new ListDocuments(List.of()));
            }
            PushDown parts = PushDown.of(pipeline);
            Reading reading = reading(request, parts, context, collation(request));
            if (!parts.rest().isEmpty()) {
                return opened(parts.rest(), documents.documents(reading, parts, context));
            }
            return reading.container().isEmpty()
                    ? Batches.nothing(reading.namespace().toString())
                    : batches.first(
                            request,
                            reading.container().get(),
                            reading.cursor(
                                    parts.statement(reading.statement(), context.now()),
                                    request.session()),
                            size,
                            false);
        }

        /** Writes all documents; the answer has none. */
        private Bytes merged(Pipeline pipeline, MergeSpec spec) {
            Namespace into =
                    new Namespace(spec.database().orElse(request.database()), spec.collection());
            PipelineReads.during(
                    request,
                    () -> {
                        Documents all = documents(pipeline);
                        MergeWriter writer =
                                new MergeWriter(
                                        items,
                                        writes,
                                        documents,
                                        ids,
                                        request,
                                        into,
                                        catalogue.findOrCreate(request, into),
                                        spec,
                                        context);
                        while (all.advance() == Documents.Step.ROW) {
                            writer.write(all.row());
                        }
                        return into;
                    });
            return Batches.nothing(namespaceName());
        }

        /** Writes all documents into a new collection, which then takes the place of the other. */
        private Bytes replaced(Pipeline pipeline, Stage.Out out) {
            PipelineReads.during(
                    request,
                    () -> {
                        Documents all = documents(pipeline);
                        OutWriter writer =
                                new OutWriter(
                                        items,
                                        catalogue,
                                        documents,
                                        ids,
                                        random,
                                        request,
                                        new Namespace(
                                                out.database().orElse(request.database()),
                                                out.collection()));
                        boolean isDone = false;
                        try {
                            while (all.advance() == Documents.Step.ROW) {
                                writer.write(all.row());
                            }
                            writer.replace();
                            isDone = true;
                        } finally {
                            if (!isDone) {
                                writer.drop();
                            }
                        }
                        return out;
                    });
            return Batches.nothing(namespaceName());
        }

        private Documents documents(Pipeline pipeline) {
            List<Stage> stages = pipeline.stages().subList(0, pipeline.stages().size() - 1);
            if (!stages.isEmpty() && stages.getFirst() instanceof Stage.Source source) {
                return documents
                        .executor(context)
                        .run(stages.subList(1, stages.size()), new ListDocuments(source(source)));
            }
            if (namespace.isEmpty()) {
                return documents.executor(context).run(stages, new ListDocuments(List.of()));
            }
            PushDown parts = PushDown.of(new Pipeline(stages));
            Reading reading = reading(request, parts, context, collation(request));
            return documents
                    .executor(context)
                    .run(parts.rest(), documents.documents(reading, parts, context));
        }

        private String namespaceName() {
            return namespace
                    .map(Namespace::toString)
                    .orElse(request.database() + ".$cmd.aggregate");
        }

        private Bytes opened(List<Stage> stages, Documents source) {
            Documents made = documents.executor(context).run(stages, source);
            return batches.first(
                    request, new PipelineCursor(namespaceName(), made, request.session()), size);
        }

        private List<Value.Obj> source(Stage.Source source) {
            return switch (source.name()) {
                case CURRENT_OP -> currentOperations(source.operand());
                case LocalSessions.STAGE ->
                        sessions.list(source.operand(), request.client().login().isPresent());
                case "$collStats" -> List.of(statistics(source.operand()));
                case "$indexStats" -> indexes(source.operand());
                default ->
                        throw MongoCode.NOT_IMPLEMENTED.failure(
                                "the pipeline stage " + source.name() + " is not supported");
            };
        }

        private List<Value.Obj> currentOperations(Value.Obj wanted) {
            if (!request.database().equals("admin")) {
                throw MongoCode.INVALID_NAMESPACE.failure(
                        "$currentOp must be run against the 'admin' database with {aggregate: 1}");
            }
            new Arguments(CURRENT_OP, wanted).allowOnly(CURRENT_OP_OPTIONS);
            return operations.described();
        }

        private List<Value.Obj> indexes(Value.Obj wanted) {
            if (!wanted.properties().isEmpty()) {
                throw MongoCode.failure(
                        28803, "The $indexStats stage specification must be an empty object");
            }
            return catalogue
                    .find(request.context(), request.namespace())
                    .map(found -> uses.shown(found.container(), host()))
                    .orElse(List.of());
        }

        private String host() {
            InetSocketAddress local = request.client().local();
            return local.getAddress().getHostAddress() + ":" + local.getPort();
        }

        private Value.Obj statistics(Value.Obj wanted) {
            Namespace collection = request.namespace();
            Arguments parts = new Arguments("$collStats", wanted);
            for (String name : List.of("latencyStats", "queryExecStats")) {
                if (parts.find(name).isPresent()) {
                    throw MongoCode.NOT_IMPLEMENTED.failure(
                            "the option '" + name + "' of $collStats is not supported");
                }
            }
            parts.allowOnly(Set.of("count", "storageStats"));
            Doc row =
                    new Doc().put("ns", collection.toString()).putDate("localTime", clock.millis());
            parts.inner("storageStats")
                    .ifPresent(
                            storage ->
                                    row.put(
                                            "storageStats",
                                            databases.statistics(
                                                    request,
                                                    collection,
                                                    Math.max(
                                                            1, storage.whole("scale").orElse(1)))));
            if (parts.document("count").isPresent()) {
                row.put(
                        "count",
                        databases
                                .statistics(request, collection, 1)
                                .build()
                                .properties()
                                .getOrDefault("count", Value.of(0)));
            }
            return row.build();
        }
    }
}
