package orrery.bench;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import orrery.bench.load.SampleItem;
import orrery.cluster.ControlPlane;
import orrery.cluster.api.AccountSettings;
import orrery.document.Value;
import orrery.gateway.Gateway;
import orrery.gateway.api.BatchAnswer;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ChangePage;
import orrery.gateway.api.ChangeRequest;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.QueryPage;
import orrery.gateway.api.ResourceRef;
import orrery.model.Bytes;
import orrery.model.ChangedItem;
import orrery.model.ContainerDefinition;
import orrery.model.DataClock;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;
import orrery.model.RequestContext;
import orrery.model.ScriptDefinition;
import orrery.model.Throughput;
import orrery.model.resource.Container;
import orrery.partition.PartitionHost;
import orrery.partition.Replica;
import orrery.partition.machine.Command;
import orrery.query.QueryCall;
import orrery.query.sql.SqlStatement;
import orrery.replication.EntryLimits;
import orrery.replication.LocalLog;
import orrery.script.ScriptEngine;
import orrery.script.ScriptLimits;
import orrery.storage.ReplicaStore;
import orrery.storage.StoreOptions;

/** The engine behind its door, wired as the server wires it, with one container. */
final class LocalEngine implements AutoCloseable {
    static final AccountSettings UNTHROTTLED =
            AccountSettings.DEFAULT.withMetering(false, false, false);

    private static final long TIMEOUT_NANOS = 30_000_000_000L;
    private static final long RETRY_AFTER_NANOS = 100_000_000;
    private static final String NAME = "bench";

    /** Items of a bulk, when a container is filled. */
    private static final int BULK = 100;

    /** Creates the items that it is given; all of them or, by throwing, none. */
    private static final String CREATE_ALL =
            """
            function createAll(items) {
                var collection = getContext().getCollection();
                items.forEach(function (item) {
                    var isAccepted = collection.createDocument(
                        collection.getSelfLink(), item, function (error) { if (error) throw error; });
                    if (!isAccepted) throw new Error("out of time");
                });
                getContext().getResponse().setBody(items.length);
            }
            """;

    private final Replica replica;
    private final PartitionHost partitions;
    private final ControlPlane catalog;
    private final Gateway engine;
    private final Container container;
    private final ContainerRef ref = ContainerRef.Addressed.byName(NAME, NAME);

    /** Throttles nothing: what is measured is what it can do. */
    LocalEngine(Path directory, IndexingPolicy indexing) {
        this(directory, indexing, UNTHROTTLED);
    }

    LocalEngine(Path directory, IndexingPolicy indexing, AccountSettings settings) {
        this(directory, indexing, settings, 400);
    }

    LocalEngine(
            Path directory, IndexingPolicy indexing, AccountSettings settings, int requestUnits) {
        this(directory, indexing, settings, requestUnits, StoreOptions.DEFAULT);
    }

    /** Throttles nothing, and has this much memory for blocks and items. */
    LocalEngine(Path directory, IndexingPolicy indexing, long cacheBytes) {
        this(
                directory,
                indexing,
                UNTHROTTLED,
                400,
                new StoreOptions(
                        cacheBytes / 2, cacheBytes / 2, StoreOptions.DEFAULT.writeBufferBytes()));
    }

    private LocalEngine(
            Path directory,
            IndexingPolicy indexing,
            AccountSettings settings,
            int requestUnits,
            StoreOptions storage) {
        replica =
                new Replica(
                        ReplicaStore.open(directory.resolve("set-0"), storage),
                        machine ->
                                new LocalLog<>(
                                        "set-0", machine, Command::sizeOf, EntryLimits.DEFAULT));
        ScriptEngine scripts =
                new ScriptEngine(ScriptLimits.standard(Runtime.getRuntime().availableProcessors()));
        partitions = new PartitionHost(Map.of(0, replica), DataClock.SYSTEM, scripts);
        catalog =
                new ControlPlane(
                        ReplicaStore.open(directory.resolve("catalog"), StoreOptions.DEFAULT),
                        machine ->
                                new LocalLog<>(
                                        "catalog", machine, _ -> 1024, ControlPlane.ENTRY_LIMITS),
                        partitions,
                        Bytes.wrap(new byte[32]),
                        settings,
                        Optional.empty(),
                        DataClock.SYSTEM,
                        new SecureRandom());
        engine = new Gateway(catalog, partitions, scripts, new SecureRandom());
        engine.resources().createDatabase(context(), NAME, Optional.empty());
        container =
                engine.resources()
                        .createContainer(
                                context(),
                                new ResourceRef.Named(NAME),
                                NAME,
                                new ContainerDefinition(
                                        new PartitionKeyDefinition(
                                                List.of(PropertyPath.parse("/pk")),
                                                PartitionKeyDefinition.Kind.HASH,
                                                2,
                                                false),
                                        indexing,
                                        ContainerDefinition.ConflictResolution.DEFAULT,
                                        ContainerDefinition.Geospatial.GEOGRAPHY),
                                Optional.of(new Throughput.Manual(requestUnits)));
    }

    void create(long number) {
        create(SampleItem.body(number));
    }

    private void create(byte[] body) {
        engine.items()
                .writeItem(
                        context(), ref, new ItemWrite.Create(Bytes.wrap(body), Optional.empty()));
    }

    /** Creates that many items in bulks, as many of them at a time as there are clients. */
    void fill(long items, LongFunction<byte[]> body) {
        AtomicLong next = new AtomicLong();
        List<Future<?>> clients = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < Bench.CLIENTS; i++) {
                clients.add(
                        threads.submit(
                                () -> {
                                    for (long number = next.getAndAdd(BULK);
                                            number < items;
                                            number = next.getAndAdd(BULK)) {
                                        int count = (int) Math.min(BULK, items - number);
                                        createBulk(number, count, body);
                                    }
                                }));
            }
        }
        clients.forEach(Future::resultNow);
    }

    /** Runs a query to its end, page by page; returns how many results it has. */
    long query(String text, Map<String, Value> parameters) {
        return answer(text, parameters).rows();
    }

    /** The results of a query, and what all of its pages cost. */
    record Answer(long rows, int pages, double requestUnits) {}

    Answer answer(String text, Map<String, Value> parameters) {
        QueryCall request = QueryCall.of(SqlStatement.parse(text, parameters));
        long rows = 0;
        int pages = 0;
        double requestUnits = 0;
        Optional<String> next = Optional.empty();
        do {
            QueryPage page =
                    engine.items()
                            .query(
                                    context(),
                                    ref,
                                    new FeedScope.Everything(),
                                    request,
                                    new PageRequest(OptionalInt.empty(), next));
            rows += page.rows().size();
            pages++;
            requestUnits += page.charge().ru();
            next = page.continuation();
        } while (next.isPresent());
        return new Answer(rows, pages, requestUnits);
    }

    /** Creates so many items under one key, all at once. */
    void createBatch(long first, int count) {
        PartitionKey key = PartitionKey.ofText(SampleItem.id(first));
        done(
                engine.items()
                        .batch(
                                context(),
                                ref,
                                new ItemBatch.Atomic(
                                        key,
                                        creates(
                                                first,
                                                count,
                                                number -> SampleItem.body(number, first)))));
    }

    /** The procedure that {@link #createByProcedure} runs. */
    void addProcedure() {
        engine.resources()
                .scripts()
                .create(
                        context(),
                        ref,
                        new ScriptDefinition(
                                ScriptDefinition.Kind.PROCEDURE, "createAll", CREATE_ALL));
    }

    /**
     * Creates so many items under one key in one run of a stored procedure. One that is refused
     * because of all the others comes again, as clients do.
     */
    void createByProcedure(long first, int count) {
        String items =
                LongStream.range(first, first + count)
                        .mapToObj(
                                number ->
                                        new String(
                                                SampleItem.body(number, first),
                                                StandardCharsets.US_ASCII))
                        .collect(Collectors.joining(",", "[[", "]]"));
        while (!execute(PartitionKey.ofText(SampleItem.id(first)), Bytes.ofUtf8(items))) {
            LockSupport.parkNanos(RETRY_AFTER_NANOS);
        }
    }

    private boolean execute(PartitionKey key, Bytes arguments) {
        try {
            engine.items()
                    .execute(
                            context(),
                            ref,
                            key,
                            new ResourceRef.Named("createAll"),
                            arguments,
                            false);
            return true;
        } catch (OrreryException refused) {
            if (refused.code() == ErrorCode.TOO_MANY_SCRIPTS) {
                return false;
            }
            throw refused;
        }
    }

    /** Creates so many items, each under its own key, in one request. */
    void createBulk(long first, int count) {
        createBulk(first, count, SampleItem::body);
    }

    private void createBulk(long first, int count, LongFunction<byte[]> body) {
        done(
                engine.items()
                        .batch(
                                context(),
                                ref,
                                new ItemBatch.Bulk(creates(first, count, body), false, true)));
    }

    private static List<BatchOperation> creates(long first, int count, LongFunction<byte[]> body) {
        return LongStream.range(first, first + count)
                .<BatchOperation>mapToObj(
                        number ->
                                new BatchOperation.Write(
                                        new ItemWrite.Create(
                                                Bytes.wrap(body.apply(number)), Optional.empty())))
                .toList();
    }

    private static void done(BatchAnswer answer) {
        if (answer.isRefused()) {
            throw new IllegalStateException("a create was refused");
        }
    }

    /** A point read of an item that {@link #create} made; returns what it cost. */
    double read(long number) {
        String id = SampleItem.id(number);
        return engine.items()
                .readItem(context(), ref, PartitionKey.ofText(id), new ItemRef.Named(id))
                .charge()
                .ru();
    }

    /**
     * A page of changes.
     *
     * @param items how many there are
     */
    record Changes(int items, String continuation) {}

    /** Without a continuation it begins at the beginning. */
    Changes readChanges(Optional<String> continuation, int maxItems) {
        ChangePage<ChangedItem> page =
                engine.items()
                        .readChanges(
                                context(),
                                ref,
                                new FeedScope.Everything(),
                                continuation
                                        .map(ChangeRequest::after)
                                        .orElse(ChangeRequest.FROM_BEGINNING)
                                        .withMaxItems(maxItems));
        return new Changes(page.changes().size(), page.continuation());
    }

    void split() {
        engine.operations()
                .splitPartition(
                        context(),
                        ref,
                        engine.resources()
                                .readPartitionMap(context(), ref)
                                .partitions()
                                .getFirst()
                                .range());
    }

    long countItems() {
        return engine.resources().readUsage(context(), ref).items();
    }

    Replica replica() {
        return replica;
    }

    ReplicaStore store() {
        return replica.store();
    }

    int containerNumber() {
        return container.number();
    }

    @Override
    public void close() {
        catalog.close();
        partitions.close();
        replica.close();
    }

    private static RequestContext context() {
        return new RequestContext(
                new UUID(1, 2),
                new RequestContext.Principal.Account(false),
                Optional.empty(),
                Optional.empty(),
                System.nanoTime() + TIMEOUT_NANOS);
    }
}
