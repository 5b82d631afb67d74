package orrery.frontend.sql;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import orrery.document.ItemBody;
import orrery.document.JsonText;
import orrery.document.Patch;
import orrery.document.SystemProperties;
import orrery.document.Value;
import orrery.gateway.BatchAnswer;
import orrery.gateway.BatchOperation;
import orrery.gateway.ChangePage;
import orrery.gateway.ChangeRequest;
import orrery.gateway.ContainerRef;
import orrery.gateway.ContainerUsage;
import orrery.gateway.FeedScope;
import orrery.gateway.ItemAnswer;
import orrery.gateway.ItemAnswer.Outcome;
import orrery.gateway.ItemBatch;
import orrery.gateway.ItemPage;
import orrery.gateway.ItemRef;
import orrery.gateway.ItemWrite;
import orrery.gateway.KeyDeleteAnswer;
import orrery.gateway.Page;
import orrery.gateway.PageRequest;
import orrery.gateway.QueryPage;
import orrery.gateway.ResourceRef;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.ChangedItem;
import orrery.model.ContainerDefinition;
import orrery.model.EffectiveKey;
import orrery.model.EffectiveKeys;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.Etag;
import orrery.model.Item;
import orrery.model.ItemVersion;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.Precondition;
import orrery.model.RangeBoundaries;
import orrery.model.RequestContext;
import orrery.model.ResourceId;
import orrery.model.SessionToken;
import orrery.model.Throughput;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.Offer;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.PhysicalPartition;
import orrery.query.QueryRequest;
import orrery.query.evaluate.Bindings;
import orrery.query.evaluate.Evaluator;
import orrery.query.evaluate.Projection;
import orrery.query.evaluate.Rows;
import orrery.query.execute.QueryMetrics;
import orrery.query.execute.QueryTimes;
import orrery.query.index.IndexUse;
import orrery.query.syntax.Query;
import orrery.query.syntax.QueryParser;

/** Enough of an engine, in memory, to see what the front-end asks and makes of the answers. */
final class FakeEngine extends EngineWithoutOperators {
    static final long NOW_MILLIS = 1_700_000_000_000L;

    private record Stored(EffectiveKey epk, PartitionKey key, String id, Item item) {}

    private final Map<Integer, Database> databases = new LinkedHashMap<>();
    private final Map<Integer, Container> containers = new LinkedHashMap<>();
    private final Map<Integer, Offer> offers = new LinkedHashMap<>();
    private final Map<Integer, PartitionMap> maps = new LinkedHashMap<>();
    private final Map<Integer, List<Stored>> items = new LinkedHashMap<>();
    private final FakeScripts scripts = new FakeScripts(this);
    private PageRequest lastPage = PageRequest.FIRST;
    private int nextNumber = 1;
    private long lsn = 10;

    /** True if a new throughput is said to wait for splits. */
    volatile boolean splitsTakeAWhile;

    /** Thrown by the next call for an item, to see how it is rendered. */
    Optional<RuntimeException> nextFailure = Optional.empty();

    final List<PartitionKey> deletedKeys = new ArrayList<>();

    final List<ItemBatch> batches = new ArrayList<>();

    /** The last request for changes. */
    Optional<ChangeRequest> lastChangeRequest = Optional.empty();

    List<ItemVersion> versions = List.of();
    boolean hasMoreChanges;

    /** The context of the last call. */
    Optional<RequestContext> lastContext = Optional.empty();

    @Override
    public FakeScripts scripts() {
        return scripts;
    }

    @Override
    public synchronized Database createDatabase(
            RequestContext context, String name, Optional<Throughput> throughput) {
        if (databases.values().stream().anyMatch(database -> database.name().equals(name))) {
            throw new OrreryException(ErrorCode.DATABASE_EXISTS, "exists");
        }
        int number = nextNumber++;
        Database database = new Database(number, name, new Etag(number, 0), NOW_MILLIS);
        databases.put(number, database);
        throughput.ifPresent(reserved -> offer(number, 0, reserved));
        return database;
    }

    private void offer(int database, int container, Throughput throughput) {
        int number = nextNumber++;
        offers.put(
                number,
                new Offer(
                        number,
                        database,
                        container,
                        throughput,
                        throughput.ceiling(),
                        new Etag(number, 0),
                        NOW_MILLIS));
    }

    @Override
    public synchronized Database readDatabase(RequestContext context, ResourceRef ref) {
        lastContext = Optional.of(context);
        return databases.values().stream()
                .filter(
                        database ->
                                switch (ref) {
                                    case ResourceRef.Named(String name) ->
                                            database.name().equals(name);
                                    case ResourceRef.Identified(ResourceId rid) ->
                                            database.rid().equals(rid);
                                })
                .findFirst()
                .orElseThrow(() -> new OrreryException(ErrorCode.NOT_FOUND, "no database"));
    }

    @Override
    public synchronized void deleteDatabase(
            RequestContext context, ResourceRef ref, Precondition precondition) {
        Database database = readDatabase(context, ref);
        check(precondition, database.etag());
        databases.remove(database.number());
        containers.values().removeIf(container -> container.database() == database.number());
        offers.values().removeIf(offer -> offer.database() == database.number());
    }

    @Override
    public synchronized Page<Database> listDatabases(RequestContext context, PageRequest page) {
        return FakePages.page(List.copyOf(databases.values()), page);
    }

    @Override
    public synchronized Container createContainer(
            RequestContext context,
            ResourceRef database,
            String name,
            ContainerDefinition definition,
            Optional<Throughput> throughput) {
        int owner = readOwner(context, database).number();
        if (containers.values().stream()
                .anyMatch(other -> other.database() == owner && other.name().equals(name))) {
            throw new OrreryException(ErrorCode.CONFLICT, "exists");
        }
        int number = nextNumber++;
        Container container =
                new Container(
                        number,
                        owner,
                        name,
                        definition,
                        definition.partitionKey().paths().isEmpty(),
                        1,
                        1,
                        Container.State.ONLINE,
                        new Etag(number, 0),
                        NOW_MILLIS);
        Throughput reserved = throughput.orElse(new Throughput.Manual(400));
        List<PhysicalPartition> partitions = new ArrayList<>();
        for (KeyRange keys :
                RangeBoundaries.initial(
                        definition.partitionKey(), Math.ceilDiv(reserved.ceiling(), 10_000))) {
            partitions.add(
                    new PhysicalPartition(partitions.size(), keys, List.of(), 0, 1, 1, NOW_MILLIS));
        }
        containers.put(number, container);
        maps.put(number, new PartitionMap(1, partitions));
        items.put(number, new ArrayList<>());
        offer(owner, number, reserved);
        return container;
    }

    @Override
    public synchronized Container readContainer(RequestContext context, ContainerRef ref) {
        lastContext = Optional.of(context);
        Database database = readOwner(context, ref.database());
        Container found =
                containers.values().stream()
                        .filter(container -> container.database() == database.number())
                        .filter(
                                container ->
                                        switch (ref.container()) {
                                            case ResourceRef.Named(String name) ->
                                                    container.name().equals(name);
                                            case ResourceRef.Identified(ResourceId rid) ->
                                                    container.rid().equals(rid);
                                        })
                        .findFirst()
                        .orElseThrow(
                                () -> new OrreryException(ErrorCode.NOT_FOUND, "no container"));
        if (ref.intended().isPresent() && !ref.intended().get().equals(found.rid())) {
            throw new OrreryException(ErrorCode.WRONG_CONTAINER_RID, "another container");
        }
        return found;
    }

    @Override
    public synchronized Database readOwner(RequestContext context, ResourceRef ref) {
        try {
            return readDatabase(context, ref);
        } catch (OrreryException missing) {
            throw new OrreryException(ErrorCode.OWNER_NOT_FOUND, "no database", missing);
        }
    }

    @Override
    public synchronized Container readOwner(RequestContext context, ContainerRef ref) {
        Container container;
        try {
            container = readContainer(context, ref);
        } catch (OrreryException failure) {
            throw failure.code() == ErrorCode.NOT_FOUND
                    ? new OrreryException(ErrorCode.OWNER_NOT_FOUND, "no container", failure)
                    : failure;
        }
        if (ref.range().isPresent() && map(container).find(ref.range().getAsInt()).isEmpty()) {
            throw new OrreryException(ErrorCode.RANGE_GONE, "gone");
        }
        return container;
    }

    @Override
    public synchronized Container replaceContainer(
            RequestContext context,
            ContainerRef ref,
            ContainerDefinition definition,
            Precondition precondition) {
        Container old = readContainer(context, ref);
        check(precondition, old.etag());
        Container next =
                new Container(
                        old.number(),
                        old.database(),
                        old.name(),
                        definition,
                        old.fixed(),
                        old.nextSegment(),
                        old.definitionVersion() + 1,
                        old.state(),
                        new Etag(old.number(), old.definitionVersion()),
                        NOW_MILLIS);
        containers.put(old.number(), next);
        return next;
    }

    @Override
    public synchronized void deleteContainer(
            RequestContext context, ContainerRef ref, Precondition precondition) {
        Container container = readContainer(context, ref);
        check(precondition, container.etag());
        containers.remove(container.number());
        offers.values().removeIf(offer -> offer.container() == container.number());
    }

    @Override
    public synchronized Page<Container> listContainers(
            RequestContext context, ResourceRef database, PageRequest page) {
        int owner = readOwner(context, database).number();
        return FakePages.page(
                containers.values().stream()
                        .filter(container -> container.database() == owner)
                        .toList(),
                page);
    }

    @Override
    public synchronized PartitionMap readPartitionMap(RequestContext context, ContainerRef ref) {
        return map(readOwner(context, ref));
    }

    @Override
    public synchronized ContainerUsage readUsage(RequestContext context, ContainerRef ref) {
        List<Stored> stored = stored(readContainer(context, ref));
        long bytes = stored.stream().mapToLong(each -> each.item().body().length()).sum();
        return new ContainerUsage(stored.size(), bytes, bytes, 10L << 30, 100, 1, 2, 3);
    }

    @Override
    public boolean isReplacePending(RequestContext context, Offer offer) {
        return splitsTakeAWhile;
    }

    @Override
    public synchronized Offer readOffer(RequestContext context, ResourceId rid) {
        return offers.values().stream()
                .filter(offer -> offer.rid().equals(rid))
                .findFirst()
                .orElseThrow(() -> new OrreryException(ErrorCode.NOT_FOUND, "no offer"));
    }

    @Override
    public synchronized Page<Offer> listOffers(RequestContext context, PageRequest page) {
        return FakePages.page(List.copyOf(offers.values()), page);
    }

    @Override
    public synchronized Optional<Offer> findOffer(RequestContext context, ResourceId resource) {
        return offers.values().stream()
                .filter(offer -> offer.resource().equals(resource))
                .findFirst();
    }

    @Override
    public synchronized Offer replaceOffer(
            RequestContext context,
            ResourceId rid,
            Throughput throughput,
            Precondition precondition) {
        Offer old = readOffer(context, rid);
        check(precondition, old.etag());
        Offer next =
                new Offer(
                        old.number(),
                        old.database(),
                        old.container(),
                        throughput,
                        Math.max(old.highestEver(), throughput.ceiling()),
                        new Etag(old.number(), 1),
                        NOW_MILLIS);
        offers.put(old.number(), next);
        return next;
    }

    @Override
    public synchronized Offer migrateOffer(
            RequestContext context, ResourceId rid, Throughput.Mode target) {
        int ceiling = readOffer(context, rid).throughput().ceiling();
        return replaceOffer(
                context,
                rid,
                switch (target) {
                    case MANUAL -> new Throughput.Manual(ceiling);
                    case AUTOSCALE -> new Throughput.Autoscale(Math.max(4000, ceiling));
                });
    }

    @Override
    public int minimumThroughput(RequestContext context, Offer offer) {
        return offer.throughput() instanceof Throughput.Autoscale ? 1000 : 400;
    }

    @Override
    public synchronized ItemAnswer readItem(
            RequestContext context, ContainerRef ref, PartitionKey key, ItemRef item) {
        Container container = begin(context, ref);
        Stored stored = find(container, key, item);
        return answer(
                Outcome.READ,
                Optional.of(stored.item()),
                container,
                stored.epk(),
                context.terms().isKnown(stored.item().etag())
                        ? RequestCharge.notModified()
                        : RequestCharge.read(4096));
    }

    /** One operation after the other; a failed atomic batch only tells so. */
    @Override
    public synchronized BatchAnswer batch(
            RequestContext context, ContainerRef ref, ItemBatch batch) {
        batches.add(batch);
        Container container = begin(context, ref);
        List<BatchAnswer.Result> results = new ArrayList<>();
        for (BatchOperation operation : batch.operations()) {
            results.add(result(context, ref, operation));
        }
        boolean isRefused = results.stream().anyMatch(BatchAnswer.Result.Refused.class::isInstance);
        if (batch instanceof ItemBatch.Atomic && isRefused) {
            results.replaceAll(
                    result ->
                            result instanceof BatchAnswer.Result.Refused
                                    ? result
                                    : new BatchAnswer.Result.Refused(
                                            new OrreryException(
                                                    ErrorCode.FAILED_DEPENDENCY, "Not done.")));
        }
        return new BatchAnswer(
                results,
                container,
                SessionToken.of(0, lsn),
                RequestCharge.batch(1, results.stream().map(BatchAnswer.Result::charge).toList()));
    }

    @Override
    public synchronized KeyDeleteAnswer deleteItems(
            RequestContext context, ContainerRef ref, PartitionKey key) {
        Container container = begin(context, ref);
        deletedKeys.add(key);
        return new KeyDeleteAnswer(
                container, SessionToken.of(0, ++lsn), RequestCharge.delete(0, 0));
    }

    private BatchAnswer.Result result(
            RequestContext context, ContainerRef ref, BatchOperation operation) {
        try {
            return switch (operation) {
                case BatchOperation.Write(ItemWrite write) -> {
                    ItemAnswer answer = writeItem(context, ref, write);
                    yield new BatchAnswer.Result.Done(
                            answer.outcome(), answer.item(), answer.charge());
                }
                case BatchOperation.Refused(OrreryException reason) -> throw reason;
                case BatchOperation.Read(var id, PartitionKey key, Precondition known) -> {
                    ItemAnswer answer = readItem(context, ref, key, new ItemRef.Named(id));
                    Etag etag = answer.item().orElseThrow().etag();
                    yield Precondition.holds(known, etag)
                            ? new BatchAnswer.Result.NotModified(etag, answer.charge())
                            : new BatchAnswer.Result.Done(
                                    answer.outcome(), answer.item(), answer.charge());
                }
            };
        } catch (OrreryException refused) {
            return new BatchAnswer.Result.Refused(refused);
        }
    }

    @Override
    public synchronized ItemAnswer writeItem(
            RequestContext context, ContainerRef ref, ItemWrite write) {
        Container container = begin(context, ref);
        return switch (write) {
            case ItemWrite.Create(Body body, Optional<PartitionKey> key) ->
                    put(container, body, key, Precondition.NONE, false);
            case ItemWrite.Upsert(
                            Body body,
                            Optional<PartitionKey> key,
                            Precondition precondition) ->
                    put(container, body, key, precondition, true);
            case ItemWrite.Replace(
                            ItemRef item,
                            Optional<PartitionKey> key,
                            Body body,
                            Precondition precondition) -> {
                PartitionKey found =
                        ItemBody.parse(body.bytes())
                                .partitionKey(container.definition().partitionKey());
                find(container, key.orElse(found), item);
                yield put(container, body, key, precondition, true);
            }
            case ItemWrite.Modify(
                            ItemRef item,
                            PartitionKey key,
                            Bytes patch,
                            Precondition precondition) -> {
                Stored stored = find(container, key, item);
                check(precondition, stored.item().etag());
                PartitionKeyDefinition definition = container.definition().partitionKey();
                Value.Obj old = (Value.Obj) JsonText.parse(stored.item().body());
                Bytes body = JsonText.writeBytes(Patch.parse(patch).apply(old, definition));
                yield put(container, Body.json(body), Optional.of(key), precondition, true);
            }
            case ItemWrite.Delete(ItemRef item, PartitionKey key, Precondition precondition) -> {
                Stored stored = find(container, key, item);
                check(precondition, stored.item().etag());
                stored(container).remove(stored);
                lsn++;
                yield answer(
                        Outcome.DELETED,
                        Optional.empty(),
                        container,
                        stored.epk(),
                        RequestCharge.delete(300, 2));
            }
        };
    }

    @Override
    public synchronized ChangePage<ItemVersion> readVersions(
            RequestContext context, ContainerRef ref, FeedScope scope, ChangeRequest request) {
        Container container = begin(context, ref);
        lastChangeRequest = Optional.of(request);
        return new ChangePage<>(
                versions,
                hasMoreChanges,
                Long.toString(lsn),
                container,
                OptionalInt.of(0),
                SessionToken.of(0, lsn),
                RequestCharge.feedPage(0, 0));
    }

    @Override
    public synchronized ChangePage<ChangedItem> readChanges(
            RequestContext context, ContainerRef ref, FeedScope scope, ChangeRequest request) {
        Container container = begin(context, ref);
        PartitionMap map = readPartitionMap(context, ref);
        lastChangeRequest = Optional.of(request);
        long after =
                switch (request.start()) {
                    case ChangeRequest.Start.Beginning _ -> 0;
                    case ChangeRequest.Start.Now _ -> lsn;
                    case ChangeRequest.Start.After(String token) -> Long.parseLong(token);
                };
        List<ChangedItem> changes =
                stored(container).stream()
                        .filter(
                                each ->
                                        FakeScope.isInside(
                                                each.key(), each.epk(), scope, map, container))
                        .map(each -> new ChangedItem(each.item(), 0))
                        .filter(change -> change.item().lsn() > after)
                        .sorted(Comparator.comparing(change -> change.item().lsn()))
                        .limit(request.maxItems().orElse(100))
                        .toList();
        long next = changes.isEmpty() ? lsn : changes.getLast().item().lsn();
        return new ChangePage<>(
                changes,
                hasMoreChanges,
                Long.toString(next),
                container,
                OptionalInt.of(0),
                SessionToken.of(0, lsn),
                RequestCharge.feedPage(0, 0));
    }

    @Override
    public synchronized ItemPage readItems(
            RequestContext context, ContainerRef ref, FeedScope scope, PageRequest page) {
        Container container = begin(context, ref);
        PartitionMap map = readPartitionMap(context, ref);
        if (scope instanceof FeedScope.Range(int range, _) && map.find(range).isEmpty()) {
            throw new OrreryException(ErrorCode.RANGE_GONE, "gone");
        }
        List<Item> matching =
                stored(container).stream()
                        .filter(
                                each ->
                                        FakeScope.isInside(
                                                each.key(), each.epk(), scope, map, container))
                        .sorted(Comparator.comparing(Stored::epk))
                        .map(Stored::item)
                        .toList();
        Page<Item> found = FakePages.page(matching, page);
        SortedMap<Integer, Long> token = new TreeMap<>();
        for (PhysicalPartition partition : map.partitions()) {
            boolean isVisited =
                    switch (scope) {
                        case FeedScope.Everything _ -> true;
                        case FeedScope.Key(PartitionKey key) ->
                                partition.keys().overlaps(FakeScope.place(container, key));
                        case FeedScope.Range(int range, _) -> partition.range() == range;
                        case FeedScope.Keys(KeyRange keys) -> partition.keys().overlaps(keys);
                    };
            if (isVisited) {
                token.put(partition.range(), lsn);
            }
        }
        OptionalInt served =
                token.size() == 1 ? OptionalInt.of(token.firstKey()) : OptionalInt.empty();
        return new ItemPage(
                found.resources(),
                found.continuation(),
                container,
                served,
                new SessionToken(token),
                new Charge(1, 2, 2048, 0, 0, 1, 0, 2.345, 0));
    }

    synchronized PageRequest lastPage() {
        return lastPage;
    }

    /** Filters and projects; what has to be merged it refuses, as the real one does. */
    @Override
    public synchronized QueryPage query(
            RequestContext context,
            ContainerRef ref,
            FeedScope scope,
            QueryRequest request,
            PageRequest page) {
        lastPage = page;
        Query query = QueryParser.query(request.query());
        if (query.orderBy().isPresent() && scope instanceof FeedScope.Everything) {
            throw new OrreryException(
                    ErrorCode.CROSS_PARTITION_QUERY_NOT_SERVABLE, "not by the gateway");
        }
        ItemPage items =
                readItems(
                        context,
                        ref,
                        scope,
                        new PageRequest(OptionalInt.empty(), Optional.empty()));
        Evaluator evaluator = new Evaluator(request.parameters());
        Rows rows = new Rows(evaluator, query.from(), query.where());
        Projection projection = new Projection(evaluator, query);
        SystemProperties system = new SystemProperties(items.container().rid());
        List<Bytes> results = new ArrayList<>();
        for (Item item : items.items()) {
            Iterator<Bindings> each = rows.of(system.read(item, _ -> true));
            while (each.hasNext()) {
                Bindings row = each.next();
                if (rows.accepts(row)) {
                    projection.apply(row).map(JsonText::writeBytes).ifPresent(results::add);
                }
            }
        }
        Page<Bytes> found = FakePages.page(results, page);
        return new QueryPage(
                Encoding.JSON,
                found.resources(),
                found.continuation(),
                items.container(),
                items.range(),
                items.sessionToken(),
                new QueryMetrics(
                        3,
                        300,
                        2,
                        4,
                        found.resources().size(),
                        20,
                        query.orderBy().isPresent(),
                        new QueryTimes(
                                1_000_000, 500_000, 20_000, 120_000, 310_000, 40_000, 2_500_000),
                        new IndexUse(
                                List.of("/pk/?"),
                                List.of(),
                                List.of("/a b/?"),
                                List.of(List.of("/a ASC", "/b ASC")))),
                items.charge());
    }

    private Container begin(RequestContext context, ContainerRef ref) {
        if (nextFailure.isPresent()) {
            RuntimeException failure = nextFailure.get();
            nextFailure = Optional.empty();
            throw failure;
        }
        return readOwner(context, ref);
    }

    private ItemAnswer put(
            Container container,
            Body sent,
            Optional<PartitionKey> given,
            Precondition precondition,
            boolean mayReplace) {
        PartitionKeyDefinition definition = container.definition().partitionKey();
        ItemBody body = ItemBody.parse(sent.bytes());
        PartitionKey key = body.partitionKey(definition);
        if (given.isPresent() && !given.get().equals(key)) {
            throw new OrreryException(ErrorCode.PARTITION_KEY_MISMATCH, "mismatch");
        }
        String id =
                body.id().orElseThrow(() -> new OrreryException(ErrorCode.BAD_REQUEST, "no id"));
        EffectiveKey epk = EffectiveKeys.of(definition, key);
        Optional<Stored> old =
                stored(container).stream()
                        .filter(each -> each.key().equals(key) && each.id().equals(id))
                        .findFirst();
        if (old.isPresent() && !mayReplace) {
            throw new OrreryException(ErrorCode.CONFLICT, "id exists")
                    .withProgress(
                            RequestCharge.refusedWrite(300),
                            SessionToken.of(range(container, epk), lsn));
        }
        old.ifPresent(each -> check(precondition, each.item().etag()));
        lsn++;
        Item item =
                new Item(
                        old.map(each -> each.item().docid()).orElse(lsn),
                        Etag.ofWrite(
                                new PartitionId(container.number(), range(container, epk)), lsn, 0),
                        NOW_MILLIS,
                        lsn,
                        Encoding.JSON,
                        body.stored());
        old.ifPresent(stored(container)::remove);
        stored(container).add(new Stored(epk, key, id, item));
        return answer(
                old.isPresent() ? Outcome.REPLACED : Outcome.CREATED,
                Optional.of(item),
                container,
                epk,
                RequestCharge.create(300, 2));
    }

    private ItemAnswer answer(
            Outcome outcome,
            Optional<Item> item,
            Container container,
            EffectiveKey epk,
            Charge charge) {
        return new ItemAnswer(outcome, item, container, range(container, epk), lsn, charge);
    }

    private int range(Container container, EffectiveKey epk) {
        return map(container).owner(epk).range();
    }

    private PartitionMap map(Container container) {
        return Objects.requireNonNull(maps.get(container.number()));
    }

    private Stored find(Container container, PartitionKey key, ItemRef ref) {
        return stored(container).stream()
                .filter(
                        each ->
                                each.key().equals(key)
                                        && switch (ref) {
                                            case ItemRef.Named(var id) ->
                                                    each.id().equals(id.text());
                                            case ItemRef.Identified(ResourceId rid) ->
                                                    rid.docid().orElse(-1) == each.item().docid();
                                        })
                .findFirst()
                .orElseThrow(
                        () ->
                                new OrreryException(ErrorCode.NOT_FOUND, "no item")
                                        .withProgress(
                                                RequestCharge.NOT_FOUND, SessionToken.of(0, lsn)));
    }

    private List<Stored> stored(Container container) {
        return items.computeIfAbsent(container.number(), _ -> new ArrayList<>());
    }

    private static void check(Precondition precondition, Etag present) {
        if (!Precondition.holds(precondition, present)) {
            throw new OrreryException(ErrorCode.PRECONDITION_FAILED, "another version");
        }
    }
}
