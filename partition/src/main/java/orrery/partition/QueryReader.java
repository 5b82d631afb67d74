package orrery.partition;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import orrery.document.IndexPlan;
import orrery.document.SystemProperties;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.ResourceId;
import orrery.model.TermRules;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.partition.machine.OpenDefinition;
import orrery.partition.machine.PartitionState;
import orrery.partition.machine.Presence;
import orrery.query.PlanningThreads;
import orrery.query.PreparedQueries;
import orrery.query.QuerySurroundings;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.evaluate.UserFunctions;
import orrery.query.execute.EqualityLookup;
import orrery.query.execute.FirstItem;
import orrery.query.execute.ItemView;
import orrery.query.execute.PageLimits;
import orrery.query.execute.PreparedQuery;
import orrery.query.execute.QueryExecution;
import orrery.query.execute.QueryMetrics;
import orrery.query.execute.QueryPart;
import orrery.query.execute.QueryResult;
import orrery.query.execute.WholeAnswer;
import orrery.query.index.IndexAvailability;
import orrery.query.index.IndexUse;
import orrery.storage.ReplicaStore;
import orrery.storage.StoreSnapshot;
import orrery.storage.StoreView;
import orrery.storage.Table;
import orrery.storage.format.DefinitionRecord;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;
import orrery.storage.format.PartitionRecord;

/** Runs queries, a page at a time, on a snapshot that lives for that page. */
final class QueryReader {
    private final PartitionState state;
    private final Optional<QueryMemory> memory;
    private final PreparedQueries queries;
    private final boolean isRehearsal;
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
            QueryMemory memory,
            PreparedQueries queries,
            InstantSource clock,
            long clockMillis,
            long examinedSeconds) {
        this(
                state,
                Optional.of(memory),
                queries,
                false,
                clock,
                state.presence(clockMillis),
                examinedSeconds);
    }

    private QueryReader(
            PartitionState state,
            Optional<QueryMemory> memory,
            PreparedQueries queries,
            boolean isRehearsal,
            InstantSource clock,
            Presence presence,
            long examinedSeconds) {
        this.clock = clock;
        this.presence = presence;
        this.examinedSeconds = examinedSeconds;
        this.state = state;
        this.memory = memory;
        this.queries = queries;
        this.isRehearsal = isRehearsal;
    }

    /**
     * A reader of what a script or a search has before it, at the time of the partition. What
     * others remember of the stored items would not be true of it.
     */
    static QueryReader ofRehearsal(
            PartitionState state, PreparedQueries queries, long clockMillis) {
        return new QueryReader(
                state,
                Optional.empty(),
                queries,
                true,
                InstantSource.fixed(Instant.ofEpochMilli(clockMillis)),
                state.presence(clockMillis),
                0);
    }

    /** A long query is made ready before there is a snapshot: it may have to wait. */
    ReadResponse.QueryPage read(
            ReplicaStore store, ReadRequest.Query request, UserFunctions functions) {
        requireLsn(request);
        long began = System.nanoTime();
        PreparedQueries.Ready query = planned(request, functions);
        try (StoreSnapshot snapshot = store.snapshot()) {
            return read(snapshot, request, query, began);
        }
    }

    /** Tells how a query would be answered from its beginning. */
    ReadResponse.Explained explain(
            ReplicaStore store, ReadRequest.Query request, UserFunctions functions) {
        requireLsn(request);
        PreparedQueries.Ready query = planned(request, functions);
        try (StoreSnapshot snapshot = store.snapshot()) {
            PartitionRecord record = record(snapshot, request);
            return new ReadResponse.Explained(
                    execution(request, query.query(), snapshot, record).plan(),
                    record.headLsn(),
                    charge(query, 0, 0, 0));
        }
    }

    /** Makes a query ready, a long one where long ones are made so. */
    PreparedQueries.Ready planned(ReadRequest.Query request, UserFunctions functions) {
        // A query that calls functions has a thread of the platform, and keeps it.
        return request.functions().isEmpty()
                ? PlanningThreads.ofProcess()
                        .plan(
                                request.partition().container(),
                                request.query().isShort(),
                                () -> ready(request, request.part().isPresent(), functions))
                : ready(request, request.part().isPresent(), functions);
    }

    /**
     * How far a page has come that looks for the first item a query finds.
     *
     * @param key of the item, without its container; absent if none was found
     * @param next where the search goes on, if it has not come to an end
     * @param used the indexes by which it looked
     */
    record Search(Optional<Bytes> key, Optional<Bytes> next, IndexUse used, Charge charge) {}

    /** Looks for the first item that a query finds. A page that fails is charged all the same. */
    Search first(StoreView view, ReadRequest.Query request, PreparedQueries.Ready ready) {
        QueryExecution execution = execution(request, ready.query(), view, record(view, request));
        try {
            FirstItem first = execution.first(request.after());
            return new Search(
                    first.key(), first.next(), execution.usedIndexes(), charge(ready, execution));
        } catch (OrreryException failure) {
            throw failure.withCharge(charge(ready, execution));
        }
    }

    /**
     * How far a page has come that hands out what a query finds in the order of creation.
     *
     * @param next the docid behind which the walk goes on; empty if it has come to its end
     * @param used the indexes by which it looked
     */
    record Walk(OptionalLong next, IndexUse used, Charge charge) {}

    /**
     * Hands out the items that a query finds between two docids, in the order of their creation.
     */
    Walk walk(
            StoreView view,
            ReadRequest.Query request,
            PreparedQueries.Ready ready,
            long after,
            long before,
            QueryExecution.Taker taker) {
        QueryExecution execution = execution(request, ready.query(), view, record(view, request));
        try {
            OptionalLong next = execution.walk(after, before, taker);
            return new Walk(next, execution.usedIndexes(), charge(ready, execution));
        } catch (OrreryException failure) {
            throw failure.withCharge(charge(ready, execution));
        }
    }

    /** Returns the version of an item that a query finds now, if it does. */
    Optional<Item> find(
            StoreView view, ReadRequest.Query request, PreparedQueries.Ready ready, Bytes suffix) {
        byte[] row = view.get(Table.ITEMS, Keys.item(request.partition().container(), suffix));
        return Optional.ofNullable(row)
                .map(ItemRecord::decode)
                .filter(item -> !presence.isGone(suffix, item))
                .map(ItemRecord::toItem)
                .filter(
                        item ->
                                execution(request, ready.query(), view, record(view, request))
                                        .finds(item));
    }

    private static Charge charge(PreparedQueries.Ready ready, QueryExecution execution) {
        return charge(ready, execution.documents(), execution.documentBytes(), execution.steps());
    }

    private static Charge charge(
            PreparedQueries.Ready ready, int documents, long documentBytes, long steps) {
        return RequestCharge.query(1, documents, documentBytes)
                .plus(RequestCharge.queryText(ready.size().characters(), ready.size().nodes()))
                .plus(RequestCharge.queryEvaluation(steps, documents));
    }

    /** Reads for a script, on the script's own thread. It gets whole answers. */
    ReadResponse.QueryPage read(
            StoreView view, ReadRequest.Query request, UserFunctions functions) {
        requireLsn(request);
        long began = System.nanoTime();
        PreparedQueries.Ready query = ready(request, request.part().isPresent(), functions);
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

    private PreparedQueries.Ready ready(
            ReadRequest.Query request, boolean isPart, UserFunctions functions) {
        if (isRehearsal) {
            return queries.once(request.query(), isPart, rules(), surroundings(functions));
        }
        return queries.get(
                new PreparedQueries.Key(
                        request.query(),
                        isPart,
                        request.partition().container(),
                        state.record().definitionVersion(),
                        rules()),
                () -> surroundings(functions));
    }

    private QuerySurroundings surroundings(UserFunctions functions) {
        return new QuerySurroundings(
                clock,
                state.definition().current().definition().geospatial(),
                functions,
                ComputedCache.of(state.definition()));
    }

    /** Reads a page of one view. */
    ReadResponse.QueryPage read(
            StoreView view, ReadRequest.Query request, PreparedQueries.Ready ready, long began) {
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
            PreparedQueries.Ready ready, PartitionRecord record, QueryResult result, long began) {
        QueryMetrics metrics =
                result.metrics()
                        .timed(
                                result.metrics()
                                        .times()
                                        .within(
                                                ready.readNanos(),
                                                ready.prepareNanos(),
                                                System.nanoTime() - began));
        return new ReadResponse.QueryPage(
                result.encoding(),
                result.rows(),
                result.places(),
                result.hashes(),
                result.next(),
                metrics,
                record.headLsn(),
                charge(ready, (int) metrics.documents(), metrics.documentBytes(), result.steps()));
    }

    /** The rules of the index, unless the snapshot has entries by others as well. */
    private TermRules rules() {
        return state.definition().currentPlan().rules();
    }

    private QueryResult run(
            ReadRequest.Query request,
            Optional<Bytes> after,
            QueryPart part,
            PreparedQuery query,
            StoreView snapshot,
            PartitionRecord record) {
        QueryExecution execution = execution(request, query, snapshot, record);
        if (part.sought().isPresent()) {
            return execution.seek(part.sought().get());
        }
        return execution.run(after, request.resume(), part);
    }

    private QueryExecution execution(
            ReadRequest.Query request,
            PreparedQuery query,
            StoreView snapshot,
            PartitionRecord record) {
        SystemProperties system =
                new SystemProperties(
                        ResourceId.ofContainer(
                                request.database(), request.partition().container()));
        Encoding seen = query.program().encoding();
        return new QueryExecution(
                query,
                items(request, snapshot, record, new ItemView(system, seen)),
                new IndexAvailability(
                        seenBy(seen, plans(request.partition(), snapshot, record)),
                        ComputedCache.of(state.definition()),
                        rules()),
                system,
                limits(request),
                System::nanoTime);
    }

    private PageLimits limits(ReadRequest.Query request) {
        PageLimits limits =
                request.functions().isEmpty()
                        ? PageLimits.of(request.maxItems(), request.maxBytes())
                        : PageLimits.withFunctions(request.maxItems(), request.maxBytes());
        return limits.forItems(state.definition().current().definition().kind().limits());
    }

    private SnapshotItems items(
            ReadRequest.Query request, StoreView snapshot, PartitionRecord record, ItemView view) {
        GoneItems gone = gone(request.partition(), snapshot, record);
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
                                memory.flatMap(
                                        known ->
                                                known.gaps()
                                                        .find(
                                                                snapshot,
                                                                request.partition(),
                                                                record,
                                                                items[0].whole(),
                                                                new SortedPath(
                                                                        path, computed, view),
                                                                mayGoOn)),
                        presence,
                        gone);
        memory.ifPresent(items[0]::remember);
        return items[0];
    }

    private GoneItems gone(PartitionId partition, StoreView snapshot, PartitionRecord record) {
        return GoneItems.find(
                snapshot,
                partition,
                record,
                presence,
                state.definition().record().versions().size() == 1,
                examinedSeconds);
    }

    /** Finds the items that have one of several values at a path that is indexed in all of them. */
    ReadResponse.Matches find(ReplicaStore store, ReadRequest.FindEqual request) {
        try (StoreSnapshot snapshot = store.snapshot()) {
            PartitionRecord record =
                    ChangeFeedReader.partition(request.partition(), request.minLsn(), snapshot);
            ComputedProperties computed = ComputedCache.of(state.definition());
            List<IndexPlan> plans = plans(request.partition(), snapshot, record);
            if (!new IndexAvailability(plans, computed, rules()).isIndexed(request.path())) {
                throw new OrreryException(
                        ErrorCode.BAD_REQUEST,
                        "The values cannot be looked up: the indexing policy leaves their path out,"
                                + " or a changed policy has not been applied to all items yet.");
            }
            SnapshotItems items =
                    new SnapshotItems(
                            snapshot,
                            request.partition(),
                            record,
                            state.definition().current().definition().partitionKey(),
                            request.clip(),
                            request.partitionKey(),
                            (_, _) -> Optional.empty(),
                            presence,
                            gone(request.partition(), snapshot, record));
            EqualityLookup.Page page =
                    new EqualityLookup(items, request.path(), request.values(), computed, rules())
                            .read(request.after(), request.maxItems(), request.maxBytes());
            page.matches().forEach(match -> HeldItem.take(match.item().body()));
            return new ReadResponse.Matches(
                    page.matches(),
                    page.next(),
                    record.headLsn(),
                    RequestCharge.query(1, page.documents(), page.documentBytes()));
        }
    }

    /**
     * The policies under which the items of the snapshot were indexed. The snapshot may be a little
     * ahead of the published state: entries that the state still promises may be gone from it.
     */
    private List<IndexPlan> plans(
            PartitionId partition, StoreView snapshot, PartitionRecord record) {
        boolean isSame =
                record.definitionVersion() == state.record().definitionVersion()
                        && record.reindexing() == state.record().reindexing();
        if (isSame) {
            return record.reindexing()
                    ? state.definition().plans()
                    : List.of(state.definition().currentPlan());
        }
        byte[] row = snapshot.get(Table.META, Keys.definition(partition));
        if (row == null) {
            throw Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE);
        }
        return OpenDefinition.of(DefinitionRecord.decode(row)).plans();
    }

    /**
     * A language of JSON cannot look up the terms of values that JSON lacks. The kind of a
     * container never changes, so that of the published state is right.
     */
    private List<IndexPlan> seenBy(Encoding seen, List<IndexPlan> plans) {
        Encoding stored = state.definition().current().definition().kind().encoding();
        return seen == stored || stored == Encoding.JSON
                ? plans
                : plans.stream().map(plan -> plan.forSql(stored)).toList();
    }
}
