package orrery.partition;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import orrery.document.IndexPlan;
import orrery.document.SystemProperties;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.ResourceId;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.machine.OpenDefinition;
import orrery.partition.machine.PartitionState;
import orrery.partition.machine.Presence;
import orrery.query.PlanningThreads;
import orrery.query.QueryRequest;
import orrery.query.QuerySize;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.evaluate.Evaluator;
import orrery.query.evaluate.UserFunctions;
import orrery.query.execute.PageLimits;
import orrery.query.execute.PreparedQuery;
import orrery.query.execute.QueryExecution;
import orrery.query.execute.QueryMetrics;
import orrery.query.execute.QueryPart;
import orrery.query.execute.QueryResult;
import orrery.query.execute.ResumePoint;
import orrery.query.execute.WholeAnswer;
import orrery.query.index.IndexAvailability;
import orrery.query.sql.SqlPreparation;
import orrery.query.syntax.Query;
import orrery.query.syntax.QueryCache;
import orrery.storage.ReplicaStore;
import orrery.storage.StoreSnapshot;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.DefinitionRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord;

/** Runs queries, a page at a time, on a snapshot that lives for that page. */
final class QueryReader {
    private final PartitionState state;
    private final Optional<PathGaps> gaps;
    private final QueryCache queries;
    private final Presence presence;
    private final long examinedSeconds;
    private final InstantSource clock;

    /**
     * @param clock for queries that ask for the time
     * @param clockMillis now: what has expired is not found
     * @param examinedSeconds before this {@code _ts} no item is left that its container ends
     */
    QueryReader(
            PartitionState state,
            PathGaps gaps,
            QueryCache queries,
            InstantSource clock,
            long clockMillis,
            long examinedSeconds) {
        this(
                state,
                Optional.of(gaps),
                queries,
                clock,
                state.presence(clockMillis),
                examinedSeconds);
    }

    private QueryReader(
            PartitionState state,
            Optional<PathGaps> gaps,
            QueryCache queries,
            InstantSource clock,
            Presence presence,
            long examinedSeconds) {
        this.clock = clock;
        this.presence = presence;
        this.examinedSeconds = examinedSeconds;
        this.state = state;
        this.gaps = gaps;
        this.queries = queries;
    }

    /**
     * A reader of what a script has before it. What others remember of the stored items would not
     * be true of it.
     */
    static QueryReader ofRehearsal(PartitionState state, QueryCache queries, long clockMillis) {
        return new QueryReader(
                state,
                Optional.empty(),
                queries,
                InstantSource.fixed(Instant.ofEpochMilli(clockMillis)),
                state.presence(clockMillis),
                0);
    }

    /** A long query is made ready before there is a snapshot: it may have to wait. */
    ReadResponse.QueryPage read(
            ReplicaStore store, ReadRequest.Query request, UserFunctions functions) {
        requireLsn(request);
        long began = System.nanoTime();
        // A query that calls functions has a thread of the platform, and keeps it.
        Ready query =
                request.functions().isEmpty()
                        ? PlanningThreads.ofProcess()
                                .plan(
                                        request.partition().container(),
                                        request.query(),
                                        () -> ready(request, request.part().isPresent(), functions))
                        : ready(request, request.part().isPresent(), functions);
        try (StoreSnapshot snapshot = store.snapshot()) {
            return read(snapshot, request, query, began);
        }
    }

    /** Reads for a script, on the script's own thread. It gets whole answers. */
    ReadResponse.QueryPage read(
            StoreView view, ReadRequest.Query request, UserFunctions functions) {
        requireLsn(request);
        long began = System.nanoTime();
        Ready query = ready(request, request.part().isPresent(), functions);
        if (!WholeAnswer.isNeeded(query.query().answer())) {
            return read(view, request, query, began);
        }
        PreparedQuery part = ready(request, true, functions).query();
        PartitionRecord record = record(view, request);
        return page(
                query,
                record,
                WholeAnswer.read(
                        part,
                        query.query().limit(),
                        limits(request),
                        request.after(),
                        after -> run(request, after, QueryPart.WHOLE, part, view, record)),
                began);
    }

    private void requireLsn(ReadRequest.Query request) {
        if (state.record().headLsn() < request.minLsn()) {
            throw Refusals.of(ErrorCode.READ_SESSION_NOT_AVAILABLE, Charge.NONE);
        }
    }

    /** A query that can run, and what it took to get there. */
    private record Ready(PreparedQuery query, QuerySize size, long parseNanos, long prepareNanos) {}

    private Ready ready(ReadRequest.Query request, boolean isPart, UserFunctions functions) {
        QueryRequest asked = request.query();
        long began = System.nanoTime();
        Query parsed = queries.get(asked.query());
        QuerySize size = QuerySize.of(asked, parsed);
        long afterParse = System.nanoTime();
        PreparedQuery query = prepare(asked, parsed, isPart, functions);
        return new Ready(query, size, afterParse - began, System.nanoTime() - afterParse);
    }

    private ReadResponse.QueryPage read(
            StoreView view, ReadRequest.Query request, Ready ready, long began) {
        PartitionRecord record = record(view, request);
        QueryPart part = request.part().orElse(QueryPart.WHOLE);
        QueryResult result = run(request, request.after(), part, ready.query(), view, record);
        return page(ready, record, result, began);
    }

    private static PartitionRecord record(StoreView view, ReadRequest.Query request) {
        byte[] row = view.get(Table.META, Keys.partition(request.partition()));
        if (row == null) {
            throw Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE);
        }
        return PartitionRecord.decode(row);
    }

    private static ReadResponse.QueryPage page(
            Ready ready, PartitionRecord record, QueryResult result, long began) {
        QueryMetrics metrics =
                result.metrics()
                        .timed(
                                result.metrics()
                                        .times()
                                        .within(
                                                ready.parseNanos(),
                                                ready.prepareNanos(),
                                                System.nanoTime() - began));
        int documents = (int) metrics.documents();
        return new ReadResponse.QueryPage(
                result.encoding(),
                result.rows(),
                result.places(),
                result.hashes(),
                result.next(),
                metrics,
                record.headLsn(),
                RequestCharge.query(1, documents, metrics.documentBytes())
                        .plus(
                                RequestCharge.queryText(
                                        ready.size().characters(), ready.size().nodes()))
                        .plus(RequestCharge.queryEvaluation(result.steps(), documents)));
    }

    private PreparedQuery prepare(
            QueryRequest asked, Query query, boolean isPart, UserFunctions functions) {
        Evaluator evaluator =
                new Evaluator(
                        asked.parameters(),
                        clock,
                        state.definition().current().definition().geospatial(),
                        functions,
                        ComputedCache.of(state.definition()));
        return SqlPreparation.prepare(query, asked.query(), asked.parameters(), evaluator, isPart);
    }

    private QueryResult run(
            ReadRequest.Query request,
            Optional<Bytes> after,
            QueryPart part,
            PreparedQuery query,
            StoreView snapshot,
            PartitionRecord record) {
        SystemProperties system =
                new SystemProperties(
                        ResourceId.ofContainer(
                                request.database(), request.partition().container()));
        QueryExecution execution =
                new QueryExecution(
                        query,
                        items(request, snapshot, record, system),
                        new IndexAvailability(
                                plans(request, snapshot, record),
                                ComputedCache.of(state.definition())),
                        system,
                        limits(request),
                        System::nanoTime);
        if (part.sought().isPresent()) {
            return execution.seek(part.sought().get());
        }
        Optional<ResumePoint> resume = request.query().resumeFilter().map(ResumePoint::parse);
        return execution.run(after, resume, part);
    }

    private PageLimits limits(ReadRequest.Query request) {
        PageLimits limits =
                request.functions().isEmpty()
                        ? PageLimits.of(request.maxItems(), request.maxBytes())
                        : PageLimits.withFunctions(request.maxItems(), request.maxBytes());
        return limits.forItems(state.definition().current().definition().kind().limits());
    }

    private SnapshotItems items(
            ReadRequest.Query request,
            StoreView snapshot,
            PartitionRecord record,
            SystemProperties system) {
        GoneItems gone =
                GoneItems.find(
                        snapshot,
                        request.partition(),
                        record,
                        presence,
                        state.definition().record().versions().size() == 1,
                        examinedSeconds);
        ComputedProperties computed = ComputedCache.of(state.definition());
        SnapshotItems[] items = new SnapshotItems[1];
        items[0] =
                new SnapshotItems(
                        snapshot,
                        request.partition(),
                        record,
                        state.definition().current().definition().partitionKey(),
                        request.clip(),
                        request.partitionKey(),
                        (path, mayGoOn) ->
                                gaps.flatMap(
                                        known ->
                                                known.find(
                                                        snapshot,
                                                        request.partition(),
                                                        record,
                                                        items[0].whole(),
                                                        new SortedPath(path, computed, system),
                                                        mayGoOn)),
                        presence,
                        gone);
        return items[0];
    }

    /**
     * The policies under which the items of the snapshot were indexed. The snapshot may be a little
     * ahead of the published state: entries that the state still promises may be gone from it.
     */
    private List<IndexPlan> plans(
            ReadRequest.Query request, StoreView snapshot, PartitionRecord record) {
        boolean isSame =
                record.definitionVersion() == state.record().definitionVersion()
                        && record.reindexing() == state.record().reindexing();
        if (isSame) {
            return forSql(
                    state.definition(),
                    record.reindexing()
                            ? state.definition().plans()
                            : List.of(state.definition().currentPlan()));
        }
        byte[] row = snapshot.get(Table.META, Keys.definition(request.partition()));
        if (row == null) {
            throw Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE);
        }
        OpenDefinition definition = OpenDefinition.of(DefinitionRecord.decode(row), snapshot);
        return forSql(definition, definition.plans());
    }

    private static List<IndexPlan> forSql(OpenDefinition definition, List<IndexPlan> plans) {
        Encoding encoding = definition.current().definition().kind().encoding();
        return encoding == Encoding.JSON
                ? plans
                : plans.stream().map(plan -> plan.forSql(encoding)).toList();
    }
}
