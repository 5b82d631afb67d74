package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import orrery.cluster.ControlPlane;
import orrery.cluster.api.AccountSettings;
import orrery.cluster.catalog.CatalogRequest;
import orrery.document.JsonText;
import orrery.document.Patch;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.PageRequest;
import orrery.gateway.api.QueryPage;
import orrery.gateway.api.ResourceRef;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.Encoding;
import orrery.model.IndexingPolicy;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;
import orrery.model.RequestContext;
import orrery.model.SessionToken;
import orrery.model.Throughput;
import orrery.partition.PartitionHost;
import orrery.partition.Replica;
import orrery.partition.api.PartitionEnvelope;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.PartitionService;
import orrery.partition.machine.Command;
import orrery.query.Dialects;
import orrery.query.QueryCall;
import orrery.query.Statement;
import orrery.query.execute.RowEncoding;
import orrery.query.find.FindDialect;
import orrery.query.mongo.aggregate.PipelineDialect;
import orrery.query.mongo.find.MongoDialect;
import orrery.query.sql.SqlDialect;
import orrery.query.sql.SqlStatement;
import orrery.query.table.TableDialect;
import orrery.query.write.Evaluation;
import orrery.query.write.PatchDialect;
import orrery.replication.EntryLimits;
import orrery.replication.LocalLog;
import orrery.replication.ThroughBytes;
import orrery.script.ScriptEngine;
import orrery.script.ScriptLimits;
import orrery.storage.ReplicaStore;
import orrery.storage.StoreOptions;

/**
 * The engine from door to disk in one process. Every message between gateway and partition goes
 * through its byte form, as it will between nodes.
 */
public final class EngineFixture implements AutoCloseable {
    /** A limit that no step here reaches, on any machine. */
    static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final StoreOptions SMALL = new StoreOptions(8L << 20, 8L << 20);

    public final ControlPlane catalog;
    final Replica replica;
    public final Gateway engine;
    private final PartitionHost host;

    /** Hears of each message of a request to a partition before it is sent, and of its answer. */
    interface Watch {
        default void sends(PartitionRequest request) {}

        default void hears(PartitionRequest request, PartitionResponse response) {}
    }

    /** Hears of the messages of the test's requests. */
    volatile Watch watch = new Watch() {};

    /** Waits for budgets. */
    volatile Consumer<Duration> rest = time -> LockSupport.parkNanos(time.toNanos());

    public EngineFixture(Path directory) {
        this(directory, AccountSettings.DEFAULT.withMetering(false, false, false));
    }

    EngineFixture(Path directory, AccountSettings limits) {
        this(directory, limits, new ReshapeSteps(_ -> {}));
    }

    /**
     * @param steps hears of every step of splits and merges
     */
    EngineFixture(Path directory, AccountSettings limits, ReshapeSteps steps) {
        this(directory, limits, steps, InstantSource.system(), System::nanoTime);
    }

    /**
     * @param nanoTime by which budgets fill up and quotas are counted
     */
    EngineFixture(Path directory, AccountSettings limits, LongSupplier nanoTime) {
        this(directory, limits, new ReshapeSteps(_ -> {}), InstantSource.system(), nanoTime);
    }

    /** Sets no limits, and takes a clock that the test sets; no other time passes. */
    EngineFixture(Path directory, InstantSource clock) {
        this(
                directory,
                AccountSettings.DEFAULT.withMetering(false, false, false),
                new ReshapeSteps(_ -> {}),
                clock,
                () -> clock.millis() * 1_000_000);
    }

    private EngineFixture(
            Path directory,
            AccountSettings limits,
            ReshapeSteps steps,
            InstantSource clock,
            LongSupplier nanoTime) {
        replica =
                new Replica(
                        ReplicaStore.open(directory.resolve("set"), SMALL),
                        machine ->
                                steps.ofSet(
                                        new LocalLog<>(
                                                "set",
                                                new ThroughBytes<>(
                                                        machine, Command::encode, Command::decode),
                                                Command::sizeOf,
                                                EntryLimits.DEFAULT)));
        ScriptEngine scripts = new ScriptEngine(patient(ScriptLimits.standard(2)));
        host =
                new PartitionHost(
                        Map.of(0, replica),
                        clock,
                        nanoTime,
                        scripts,
                        new Dialects(
                                SqlDialect.INSTANCE,
                                TableDialect.INSTANCE,
                                FindDialect.INSTANCE,
                                MongoDialect.INSTANCE,
                                PipelineDialect.INSTANCE));
        catalog =
                new ControlPlane(
                        ReplicaStore.open(directory.resolve("catalog"), SMALL),
                        machine ->
                                steps.ofCatalog(
                                        new LocalLog<>(
                                                "catalog",
                                                new ThroughBytes<>(
                                                        machine,
                                                        CatalogRequest::encode,
                                                        CatalogRequest::decode),
                                                _ -> 1,
                                                ControlPlane.ENTRY_LIMITS)),
                        steps.ofPartitions(new ThroughCodec(host)),
                        Bytes.wrap(new byte[32]),
                        limits,
                        Optional.empty(),
                        clock,
                        new SecureRandom());
        // An account that is there already keeps the settings it has.
        if (!catalog.settings().equals(limits)) {
            catalog.changeSettings(_ -> limits);
        }
        PartitionService partitions = new ThroughCodec(host);
        engine =
                new Gateway(
                        catalog,
                        envelope -> {
                            watch.sends(envelope.request());
                            PartitionResponse response = partitions.call(envelope);
                            watch.hears(envelope.request(), response);
                            return response;
                        },
                        scripts,
                        new SecureRandom(),
                        clock,
                        nanoTime,
                        time -> rest.accept(time));
    }

    /** No script here is about its time. */
    private static ScriptLimits patient(ScriptLimits usual) {
        return new ScriptLimits(
                PATIENCE,
                usual.statements(),
                usual.allocatedBytes(),
                usual.resultBytes(),
                usual.logChars(),
                usual.threads(),
                usual.waiting());
    }

    private record ThroughCodec(PartitionService inner) implements PartitionService {
        @Override
        public PartitionResponse call(PartitionEnvelope envelope) {
            PartitionEnvelope received = PartitionEnvelope.decode(envelope.encode());
            PartitionResponse response = inner.call(received);
            return PartitionResponse.decode(PartitionResponse.encode(response));
        }
    }

    public static RequestContext context() {
        return context(Optional.empty());
    }

    static RequestContext context(Optional<SessionToken> token) {
        return new RequestContext(
                UUID.randomUUID(),
                new RequestContext.Principal.Account(false),
                token,
                Optional.empty(),
                System.nanoTime() + PATIENCE.toNanos());
    }

    static RequestContext readOnly() {
        return new RequestContext(
                UUID.randomUUID(),
                new RequestContext.Principal.Account(true),
                Optional.empty(),
                Optional.empty(),
                System.nanoTime() + PATIENCE.toNanos());
    }

    /** The evaluation of a patch without a condition. */
    static Evaluation patch(String operations) {
        return PatchDialect.evaluation(Patch.parse(Bytes.ofUtf8(operations)));
    }

    static ContainerDefinition definition(String... paths) {
        return new ContainerDefinition(
                new PartitionKeyDefinition(
                        List.of(paths).stream().map(PropertyPath::parse).toList(),
                        paths.length > 1
                                ? PartitionKeyDefinition.Kind.MULTI_HASH
                                : PartitionKeyDefinition.Kind.HASH,
                        2,
                        false),
                IndexingPolicy.DEFAULT,
                ContainerDefinition.ConflictResolution.DEFAULT,
                ContainerDefinition.Geospatial.GEOGRAPHY);
    }

    static ContainerDefinition withHashVersion(ContainerDefinition definition, int version) {
        PartitionKeyDefinition key = definition.partitionKey();
        return new ContainerDefinition(
                new PartitionKeyDefinition(key.paths(), key.kind(), version, key.systemKey()),
                definition.indexingPolicy(),
                definition.conflictResolution(),
                definition.geospatial());
    }

    /** Makes database {@code d} if need be, and a container in it. */
    public ContainerRef.Addressed container(String name, int requestUnits, String... paths) {
        return container(name, requestUnits, definition(paths));
    }

    ContainerRef.Addressed container(
            String name, int requestUnits, ContainerDefinition definition) {
        if (catalog.findDatabase("d").isEmpty()) {
            engine.resources().createDatabase(context(), "d", Optional.empty());
        }
        engine.resources()
                .createContainer(
                        context(),
                        new ResourceRef.Named("d"),
                        name,
                        definition,
                        Optional.of(new Throughput.Manual(requestUnits)));
        return ref(name);
    }

    static ContainerRef.Addressed ref(String name) {
        return ContainerRef.Addressed.byName("d", name);
    }

    ItemAnswer create(ContainerRef container, String json) {
        return engine.items()
                .writeItem(
                        context(),
                        container,
                        new ItemWrite.Create(Bytes.ofUtf8(json), Optional.empty()));
    }

    long purgedItems() {
        return host.purgedItems();
    }

    QueryPage page(
            ContainerRef container,
            FeedScope scope,
            String query,
            int size,
            Optional<String> continuation) {
        return page(container, scope, SqlStatement.parse(query, Map.of()), size, continuation);
    }

    private QueryPage page(
            ContainerRef container,
            FeedScope scope,
            Statement query,
            int size,
            Optional<String> continuation) {
        return engine.items()
                .query(
                        context(),
                        container,
                        scope,
                        QueryCall.of(query),
                        new PageRequest(OptionalInt.of(size), continuation));
    }

    /** The rows of all pages, none of which may be larger than this. */
    List<String> all(ContainerRef container, FeedScope scope, String query, int size) {
        return all(container, scope, SqlStatement.parse(query, Map.of()), size);
    }

    /** Like the other method of this name, in any language. */
    List<String> all(ContainerRef container, FeedScope scope, Statement query, int size) {
        List<String> rows = new ArrayList<>();
        Optional<String> continuation = Optional.empty();
        int pages = 0;
        do {
            QueryPage page = page(container, scope, query, size, continuation);
            assertThat(page.rows().size()).isLessThanOrEqualTo(size);
            page.rows().forEach(row -> rows.add(text(page.encoding(), row)));
            continuation = page.continuation();
            assertThat(++pages).isLessThan(10_000);
        } while (continuation.isPresent());
        return rows;
    }

    private static String text(Encoding encoding, Bytes row) {
        return encoding == Encoding.JSON
                ? row.toUtf8()
                : JsonText.write(RowEncoding.of(encoding).read(row));
    }

    /** Raises the feature level of the set, as a server does when it starts. */
    public EngineFixture withNewestLevel() {
        replica.raiseLevel(PATIENCE);
        return this;
    }

    @Override
    public void close() {
        catalog.close();
        host.close();
        replica.close();
    }
}
