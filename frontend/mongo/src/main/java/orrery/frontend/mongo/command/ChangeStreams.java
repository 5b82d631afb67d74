package orrery.frontend.mongo.command;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.frontend.mongo.cursor.Cursors;
import orrery.frontend.mongo.cursor.StreamCursor;
import orrery.gateway.api.Items;
import orrery.gateway.api.StreamEvent;
import orrery.gateway.api.StreamPage;
import orrery.gateway.api.StreamRequest;
import orrery.gateway.api.StreamScope;
import orrery.gateway.api.Streams;
import orrery.model.Bytes;
import orrery.model.Cancellation;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.memory.MemoryAccount;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.aggregate.Documents;
import orrery.query.mongo.aggregate.Executor;
import orrery.query.mongo.aggregate.ListDocuments;
import orrery.query.mongo.aggregate.Pipeline;
import orrery.query.mongo.aggregate.PipelineReader;
import orrery.query.mongo.aggregate.Stage;
import orrery.query.mongo.expression.ExpressionContext;

/**
 * Change streams: an {@code aggregate} that begins with {@code $changeStream} opens one, and {@code
 * getMore} waits for what is new. A stream is where a client has come to and nothing else, so any
 * number of them costs nothing while nobody asks.
 */
final class ChangeStreams {
    /** How long a getMore waits that does not say. */
    private static final Duration USUAL_PATIENCE = Duration.ofSeconds(1);

    private static final int MOST_EVENTS = 1000;

    /** A batch ends when it has so many bytes; an event may have a little more than a document. */
    private static final int FULL_BYTES = 16 << 20;

    private static final int OVERHEAD_BYTES = 16 << 10;

    private final Streams streams;
    private final Items items;
    private final Catalogue catalogue;
    private final Cursors cursors;
    private final ClusterClock time;
    private final IndexUses uses;
    private final RandomGenerator random;

    ChangeStreams(
            Streams streams,
            Items items,
            Catalogue catalogue,
            Cursors cursors,
            ClusterClock time,
            IndexUses uses,
            RandomGenerator random) {
        this.streams = streams;
        this.items = items;
        this.catalogue = catalogue;
        this.cursors = cursors;
        this.time = time;
        this.uses = uses;
        this.random = random;
    }

    // ---- opening

    /** Answers the command that opens a stream. */
    Bytes open(
            CommandRequest request,
            Value operand,
            List<Value> rest,
            ExpressionContext context,
            OptionalInt size) {
        if (request.isInTransaction()) {
            throw MongoCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION.failure(
                    StreamStage.NAME + " cannot be used in a transaction");
        }
        requireMajority(request);
        StreamStage stage = StreamStage.read(request, operand);
        Pipeline pipeline = pipeline(rest, context);
        keep(request, stage.scope());
        StreamCursor cursor =
                new StreamCursor(
                        stage.namespace(),
                        stage.scope(),
                        stage.options(),
                        pipeline,
                        context,
                        "",
                        request.session());
        int most = size.orElse(Batches.FIRST_BATCH);
        Batch batch = new Reading(request, cursor, most).from(stage.start(), Duration.ZERO);
        long id = batch.isEnded() ? 0 : cursors.open(cursor.at(batch.token()));
        return answer("firstBatch", batch, id, cursor.namespace());
    }

    /** Events are read from what is on disk, which is more than any other concern asks for. */
    private static void requireMajority(CommandRequest request) {
        request.arguments()
                .inner("readConcern")
                .flatMap(concern -> concern.text("level"))
                .filter(level -> !level.equals("majority"))
                .ifPresent(
                        level -> {
                            throw MongoCode.INVALID_OPTIONS.failure(
                                    StreamStage.NAME
                                            + " cannot be used with the read concern '"
                                            + level
                                            + "', only with 'majority'");
                        });
    }

    private static Pipeline pipeline(List<Value> rest, ExpressionContext context) {
        for (Value stage : rest) {
            if (stage instanceof Value.Obj(Map<String, Value> fields) && fields.size() == 1) {
                requireAllowed(fields.keySet().iterator().next());
            }
        }
        return new PipelineReader(context).read(rest);
    }

    private static void requireAllowed(String stage) {
        switch (stage) {
            case "$group",
                    "$sort",
                    "$skip",
                    "$limit",
                    "$lookup",
                    "$unionWith",
                    "$facet",
                    "$bucket",
                    "$bucketAuto",
                    "$count",
                    "$sortByCount",
                    "$sample",
                    "$unwind",
                    "$out",
                    "$merge",
                    "$graphLookup",
                    "$setWindowFields",
                    "$densify",
                    "$fill" ->
                    throw MongoCode.ILLEGAL_OPERATION.failure(
                            stage + " is not permitted in a " + StreamStage.NAME + " pipeline");
            case StreamStage.NAME,
                    "$documents",
                    "$collStats",
                    "$indexStats",
                    "$currentOp",
                    "$listLocalSessions" ->
                    throw MongoCode.failure(
                            40602, stage + " is only valid as the first stage in a pipeline");
            default -> {}
        }
    }

    /** Whatever is watched keeps its changes from now on; what does so already stays as it is. */
    private void keep(CommandRequest request, StreamScope scope) {
        try {
            String database =
                    switch (scope) {
                        case StreamScope.OneContainer(String name, var _) -> name;
                        case StreamScope.OneDatabase(String name) -> name;
                        case StreamScope.Everything _ -> "";
                    };
            if (!database.isEmpty()) {
                catalogue.databaseOrNew(request.context(), database, Optional.empty());
            }
            streams.watch(request.context(), scope);
        } catch (OrreryException refused) {
            throw refused.code() == ErrorCode.FORBIDDEN
                    ? MongoCode.UNAUTHORIZED.failure(
                            "What is watched does not keep its changes yet, and this key may not"
                                    + " change that. Open the stream once with a read-write key, or run"
                                    + " collMod with changeStreamPreAndPostImages: { enabled: true }.")
                    : refused;
        }
    }

    // ---- reading

    /**
     * A batch.
     *
     * @param token behind its last event, and behind what the stages have left out
     */
    private record Batch(List<Bytes> rows, String token, boolean isEnded) {}

    /** Answers a getMore. Where a budget is used up, that is an empty batch. */
    Bytes more(CommandRequest request, long id, StreamCursor cursor, OptionalInt size, Next next) {
        long millis = request.arguments().count("maxTimeMS").orElse(USUAL_PATIENCE.toMillis());
        Duration patience = Duration.ofMillis(Math.min(millis, Commands.LONGEST.toMillis()));
        int most = size.orElse(0) == 0 ? MOST_EVENTS : size.getAsInt();
        Batch batch;
        try {
            batch =
                    new Reading(request, cursor, most)
                            .from(new StreamRequest.Start.After(cursor.token()), patience);
        } catch (OrreryException refused) {
            if (!refused.code().isOfRate()) {
                throw refused;
            }
            request.charge(refused.charge());
            await(refused.retryAfter().orElse(patience), patience);
            batch = new Batch(List.of(), cursor.token(), false);
        }
        next.is(batch.isEnded() ? null : cursor.at(batch.token()));
        return answer("nextBatch", batch, batch.isEnded() ? 0 : id, cursor.namespace());
    }

    /** Hears where a cursor goes on; null if it has ended. */
    @FunctionalInterface
    interface Next {
        void is(@Nullable StreamCursor cursor);
    }

    /** A client that is answered at once asks again at once, and would be refused again. */
    private static void await(Duration retryAfter, Duration patience) {
        Duration time = retryAfter.compareTo(patience) < 0 ? retryAfter : patience;
        try {
            var _ =
                    Cancellation.current()
                            .waiting(
                                    () ->
                                            new CountDownLatch(1)
                                                    .await(time.toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new OrreryException(ErrorCode.UNAVAILABLE, "The server is stopping.", stopped);
        }
    }

    private static Bytes answer(String name, Batch batch, long id, String namespace) {
        return RawDocuments.cursor(
                name,
                batch.rows(),
                id,
                namespace,
                new Doc().put("postBatchResumeToken", EventDocuments.token(batch.token())).build(),
                Replies.OK);
    }

    /** A batch on its way. */
    private final class Reading {
        private final CommandRequest request;
        private final StreamCursor cursor;
        private final int most;
        private final EventDocuments documents;
        private final Executor executor;
        private final List<Bytes> rows = new ArrayList<>();
        private long bytes;

        Reading(CommandRequest request, StreamCursor cursor, int most) {
            this.request = request;
            this.cursor = cursor;
            this.most = most;
            this.documents = new EventDocuments(items, request, cursor.options());
            this.executor =
                    new Executor(
                            new PipelineReads(
                                    items,
                                    catalogue,
                                    request.database(),
                                    new Value.Obj(Map.of()),
                                    random,
                                    uses),
                            cursor.context(),
                            random);
        }

        /** Reads on while the stages leave out all that there is and time is left. */
        Batch from(StreamRequest.Start start, Duration patience) {
            long deadlineNanos = System.nanoTime() + patience.toNanos();
            StreamRequest.Start next = start;
            while (true) {
                Duration left = Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
                StreamPage page =
                        streams.read(
                                request.context(),
                                new StreamRequest(
                                        cursor.scope(),
                                        next,
                                        Math.max(1, Math.min(most, MOST_EVENTS)),
                                        left));
                request.charge(page.charge());
                Batch batch = add(page);
                if (!rows.isEmpty() || batch.isEnded() || left.isZero() || most == 0) {
                    return batch;
                }
                next = new StreamRequest.Start.After(batch.token());
            }
        }

        private Batch add(StreamPage page) {
            String token = page.startToken();
            if (most == 0) {
                return new Batch(List.of(), token, false);
            }
            for (StreamEvent event : page.events()) {
                if (rows.size() >= most || bytes >= FULL_BYTES) {
                    return new Batch(rows, token, false);
                }
                time.reach(event.timeMillis());
                Value.Obj document = documents.of(event);
                Optional<Bytes> row = staged(document);
                if (row.isPresent() && !rows.isEmpty() && bytes + row.get().length() > FULL_BYTES) {
                    return new Batch(rows, token, false);
                }
                row.ifPresent(this::add);
                token = event.token();
            }
            return new Batch(rows, page.token(), page.isEnded());
        }

        private void add(Bytes row) {
            MemoryAccount.current().take(row.length());
            bytes += row.length();
            rows.add(row);
        }

        /** Returns what the stages make of an event; empty if they leave it out. */
        private Optional<Bytes> staged(Value.Obj event) {
            Value.Obj row = event;
            List<Stage> stages = cursor.pipeline().stages();
            if (!stages.isEmpty()) {
                Documents all = executor.run(stages, new ListDocuments(List.of(event)));
                if (all.advance() != Documents.Step.ROW) {
                    return Optional.empty();
                }
                row = all.row();
            }
            Value id = event.properties().get("_id");
            if (id == null || !id.equals(row.properties().get("_id"))) {
                throw MongoCode.CHANGE_STREAM_FATAL_ERROR.failure(
                        "The pipeline has changed or removed the _id of an event, which is its"
                                + " resume token. Stages behind "
                                + StreamStage.NAME
                                + " have to leave it as it is.");
            }
            Bytes written = BsonCodec.write(row);
            if (written.length() > FULL_BYTES + OVERHEAD_BYTES) {
                throw MongoCode.BSON_OBJECT_TOO_LARGE.failure(
                        "An event has "
                                + written.length()
                                + " bytes, more than a document may have. Leave something out with"
                                + " $project, or show no document before the change.");
            }
            return Optional.of(written);
        }
    }

    /** Returns where each partition's part of a stream would begin, for clients of the service. */
    Bytes tokens(CommandRequest request) {
        Namespace namespace =
                request.namespace(
                        request.arguments()
                                .find("collection")
                                .orElseThrow(() -> request.arguments().missing("collection")));
        catalogue.require(request.context(), namespace);
        StreamScope.OneContainer scope =
                new StreamScope.OneContainer(namespace.database(), namespace.collection());
        keep(request, scope);
        StreamRequest.Start start =
                request.arguments()
                        .find("startAtOperationTime")
                        .<StreamRequest.Start>map(
                                value -> StreamStage.at(request.arguments(), value))
                        .orElseGet(StreamRequest.Start.Now::new);
        List<Value> tokens = new ArrayList<>();
        for (String token : streams.split(request.context(), scope, start)) {
            tokens.add(EventDocuments.token(token));
        }
        return new Doc().put("resumeAfterTokens", tokens).ok();
    }
}
