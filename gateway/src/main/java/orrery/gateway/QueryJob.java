package orrery.gateway;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.QueryPage;
import orrery.model.Bytes;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.RequestContext;
import orrery.model.SizeLimits;
import orrery.model.resource.Container;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.api.ReadRequest;
import orrery.partition.api.ReadResponse;
import orrery.query.BoundQuery;
import orrery.query.QueryCall;
import orrery.query.QuerySurroundings;
import orrery.query.dialect.AnswerShape;
import orrery.query.dialect.Program;
import orrery.query.dialect.RowLimit;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.execute.QueryPart;
import orrery.query.execute.ResumePoint;
import orrery.query.execute.RowEncoding;
import orrery.query.index.IndexUse;

/**
 * One query over a container: which partitions it has to ask, how to ask them, and what all that
 * came to. Partitions may be asked by several threads.
 */
final class QueryJob {
    /** Rows that a partition is asked for at once. */
    static final int BATCH_ROWS = SizeLimits.MAX_PAGE_ROWS;

    static final int BATCH_BYTES = ReadRequest.MAX_PAGE_BYTES;

    private static final long ROW_OVERHEAD = 64;

    private final RequestContext context;
    private final Container container;
    private final BoundQuery query;
    private final Optional<ResumePoint> resume;
    private final Resolver resolver;
    private final PartitionCalls partitions;
    private final QueryFunctions.Called functions;
    private final FeedExtent extent;

    /** The request names a range that was split; it is answered by what has taken its place. */
    private final boolean isOfHeirs;

    private final QueryPlaces places;

    /** The keys that the request names, or those that its filter leaves; empty for any. */
    private final Optional<List<PartitionKey>> keys;

    private final QueryWork work;

    QueryJob(
            RequestContext context,
            Container container,
            FeedScope scope,
            QueryCall call,
            Resolver resolver,
            PartitionCalls partitions,
            QueryFunctions.Called functions,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.work = new QueryWork(nanoTime);
        this.context = context;
        this.container = container;
        this.query =
                call.statement()
                        .bind(
                                new QuerySurroundings(
                                        clock,
                                        container.definition().geospatial(),
                                        functions,
                                        ComputedProperties.NONE));
        this.resume = call.resume();
        this.resolver = resolver;
        this.partitions = partitions;
        this.functions = functions;
        PartitionKeyDefinition definition = container.definition().partitionKey();
        this.extent = FeedExtent.of(container, scope);
        this.isOfHeirs = extent.isOfHeirs(resolver.map(container));
        Optional<List<PartitionKey>> wanted =
                answer().readsItems()
                        ? query.keys(definition, container.definition().kind().encoding())
                        : Optional.empty();
        this.places = QueryPlaces.of(definition, extent.keys(), extent.key(), wanted);
        this.keys = extent.key().map(List::of).or(() -> wanted);
    }

    /** Returns the heap that a row of the answer takes: once by itself, and once in the reply. */
    static long heldBytes(Bytes row) {
        return ROW_OVERHEAD + 2L * row.length();
    }

    BoundQuery query() {
        return query;
    }

    AnswerShape answer() {
        return query.statement().answer();
    }

    /** Returns true if the query is over the results of another, which must be known first. */
    boolean isDerived() {
        return query.statement().isDerived();
    }

    /** Makes the program that merges groups here. */
    Program program() {
        return query.program();
    }

    /** The encoding of the results. */
    RowEncoding encoding() {
        return RowEncoding.of(query.statement().encoding());
    }

    QueryFunctions.Called functions() {
        return functions;
    }

    /**
     * Runs work that evaluates expressions on rows and reads nothing from partitions meanwhile.
     *
     * @param called the functions that the expressions were made with
     */
    <T> T evaluating(QueryFunctions.Called called, Supplier<T> work) {
        return called.during(context, work);
    }

    int containerNumber() {
        return container.number();
    }

    /** Tells which queries a token of this one is good for. */
    Bytes binding() {
        return binding(keys);
    }

    /**
     * Tells of which queries over any keys this one can go on: it reads less than they did, so what
     * it wants lies behind their positions or has been given. Where rows were counted or put
     * together, those of other keys are among them.
     */
    Optional<Bytes> widerBinding() {
        return keys.isPresent() && query.isRowByRow()
                ? Optional.of(binding(Optional.empty()))
                : Optional.empty();
    }

    private Bytes binding(Optional<List<PartitionKey>> of) {
        return query.binding(of.toString());
    }

    RowLimit limit() {
        return query.limit();
    }

    PartitionMap map() {
        return resolver.map(container);
    }

    /** Returns true if one partition alone can answer, now and after any split. */
    boolean isOnOnePartition() {
        return (namesARange() && !isOfHeirs)
                || !answer().readsItems()
                || places.isOneKey(container.definition().partitionKey());
    }

    /** Returns true if what a named range was split into answers for it. */
    boolean isOfHeirs() {
        return isOfHeirs;
    }

    private boolean namesARange() {
        return extent.range().isPresent();
    }

    /** Returns the part of the container that is asked for. */
    FeedExtent extent() {
        return extent;
    }

    /**
     * Returns true if the pages of a partition are the answer as they are: the client asks range by
     * range and merges, so each page has its own groups and its own distinct results.
     */
    boolean isMergedByClient() {
        AnswerShape shape = answer();
        return namesARange()
                && !places.isOneKey(container.definition().partitionKey())
                && shape.readsItems()
                && !shape.isSorted()
                && !shape.isGroupedInOrder()
                && !(shape.isDistinct() && shape.isGrouped())
                && limit().isNone();
    }

    /**
     * Waits, if a failure says that a partition was gone, until the map says what has taken its
     * place. Throws any other failure. A request that names a range must see RANGE_GONE, unless its
     * heirs answer.
     */
    void awaitMove(PartitionMap stale, OrreryException failure) {
        boolean hasPartitions = !namesARange() || (isOfHeirs && extent.isOfHeirs(stale));
        if (!Resolver.hasMoved(failure) || !hasPartitions) {
            throw failure;
        }
        awaitNewMap(stale, failure);
    }

    /** Waits, after a partition was gone, until the map says what has taken its place. */
    void awaitNewMap(PartitionMap stale, OrreryException failure) {
        resolver.awaitNewMap(context, container, stale, failure);
    }

    /**
     * A partition to ask.
     *
     * @param keys the part of its keys that is meant
     */
    record Visit(PhysicalPartition partition, QueryPlaces.Place place, KeyRange keys) {}

    /** The partitions that have some of these keys, in order. */
    List<Visit> visits(PartitionMap map, KeyRange keys) {
        List<PhysicalPartition> targets = extent.partitions(map);
        List<Visit> visits = new ArrayList<>();
        for (PhysicalPartition partition : targets) {
            Optional<KeyRange> common = keys.intersect(partition.keys());
            Optional<QueryPlaces.Place> place = common.flatMap(places::in);
            if (common.isPresent() && place.isPresent()) {
                visits.add(new Visit(partition, place.get(), common.get()));
            }
        }
        // Without FROM there is one row, whoever makes it.
        return !answer().readsItems() && visits.size() > 1 ? visits.subList(0, 1) : visits;
    }

    ReadResponse.QueryPage read(
            Visit visit,
            Optional<Bytes> after,
            Optional<QueryPart> part,
            int maxRows,
            int maxBytes) {
        ReadResponse.QueryPage page =
                (ReadResponse.QueryPage)
                        partitions.read(
                                context,
                                visit.partition(),
                                request(visit, after, part, maxRows, maxBytes));
        work.count(visit.partition().range(), page);
        return page;
    }

    private ReadRequest.Query request(
            Visit visit,
            Optional<Bytes> after,
            Optional<QueryPart> part,
            int maxRows,
            int maxBytes) {
        return new ReadRequest.Query(
                new PartitionId(container.number(), visit.partition().range()),
                container.database(),
                query.statement().encoded(),
                visit.place().keys(),
                visit.place().key(),
                after,
                part,
                resume,
                maxRows,
                maxBytes,
                partitions.minLsn(context, visit.partition()),
                functions.sources());
    }

    /**
     * Asks a partition how it would answer.
     *
     * @param isPart whether the answer is put together from those of several partitions
     */
    ReadResponse.Explained explain(Visit visit, boolean isPart, int maxRows) {
        return (ReadResponse.Explained)
                partitions.read(
                        context,
                        visit.partition(),
                        new ReadRequest.Explain(
                                request(
                                        visit,
                                        Optional.empty(),
                                        isPart ? Optional.of(QueryPart.WHOLE) : Optional.empty(),
                                        maxRows,
                                        BATCH_BYTES)));
    }

    /**
     * Like {@link #read}; empty if the budget of the partition is used up and the answer has come
     * further in this request. If the client had to begin anew, it would be refused at the same
     * place again.
     */
    Optional<ReadResponse.QueryPage> readIfAllowed(
            Visit visit,
            Optional<Bytes> after,
            Optional<QueryPart> part,
            int maxRows,
            int maxBytes) {
        try {
            return Optional.of(read(visit, after, part, maxRows, maxBytes));
        } catch (OrreryException failure) {
            if (!failure.code().isOfRate() || !work.hasRead()) {
                throw failure;
            }
            return Optional.empty();
        }
    }

    /** Items lie in the order of their keys, so a known key is looked up as in an index. */
    private IndexUse keyIndex() {
        PartitionKeyDefinition definition = container.definition().partitionKey();
        int known = definition.paths().size();
        for (QueryPlaces.Place place : places.places()) {
            known = Math.min(known, place.key().map(key -> key.components().size()).orElse(0));
        }
        return IndexUse.ofKey(definition.paths().subList(0, known));
    }

    /** The same container and scope for the query inside a FROM. */
    QueryJob inner(BoundQuery inner) {
        return new QueryJob(this, inner);
    }

    private QueryJob(QueryJob outer, BoundQuery query) {
        this.work = outer.work.inner();
        this.context = outer.context;
        this.container = outer.container;
        this.query = query;
        this.resume = Optional.empty();
        this.resolver = outer.resolver;
        this.partitions = outer.partitions;
        this.functions = outer.functions;
        this.extent = outer.extent;
        this.isOfHeirs = outer.isOfHeirs;
        this.keys = outer.keys;
        this.places =
                outer.places.narrowed(
                        outer.container.definition().partitionKey(),
                        query.keys(
                                outer.container.definition().partitionKey(),
                                outer.container.definition().kind().encoding()));
    }

    /** Returns what the page has taken so far. */
    QueryWork work() {
        return work;
    }

    /** The answer, with all that it took. */
    QueryPage page(List<Bytes> rows, Optional<String> continuation) {
        return new QueryPage(
                encoding().ofRows(),
                rows,
                continuation,
                container,
                work.onlyRange(),
                work.sessionToken(),
                work.metrics()
                        .returning(rows.size(), rows.stream().mapToLong(Bytes::length).sum())
                        .using(keyIndex()),
                PartitionCalls.charge(context, work.charge()));
    }
}
