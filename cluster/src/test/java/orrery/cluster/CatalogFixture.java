package orrery.cluster;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import orrery.cluster.api.AccountSettings;
import orrery.cluster.catalog.CatalogOutcome;
import orrery.cluster.catalog.CatalogRequest;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.IndexingPolicy;
import orrery.model.PartitionId;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;
import orrery.model.RequestContext;
import orrery.model.Throughput;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.PhysicalPartition;
import orrery.model.security.AccountKeys;
import orrery.partition.PartitionHost;
import orrery.partition.Replica;
import orrery.partition.api.PartitionService;
import orrery.partition.machine.Command;
import orrery.replication.CommandLog;
import orrery.replication.EntryLimits;
import orrery.replication.LocalLog;
import orrery.replication.StateMachine;
import orrery.replication.ThroughBytes;
import orrery.storage.ReplicaStore;
import orrery.storage.StoreOptions;

/** Partitions over a real store and log, and catalogs that may be opened over them in turn. */
final class CatalogFixture implements AutoCloseable {
    static final int PARTITIONS = 4;

    private static final StoreOptions SMALL = new StoreOptions(8L << 20, 8L << 20);

    private final Path directory;
    private final Replica replica;
    private final PartitionHost host;

    CatalogFixture(Path directory) {
        this.directory = directory;
        this.replica =
                new Replica(
                        ReplicaStore.open(directory.resolve("set"), SMALL),
                        machine ->
                                new LocalLog<>(
                                        "set",
                                        new ThroughBytes<>(
                                                machine, Command::encode, Command::decode),
                                        Command::sizeOf,
                                        EntryLimits.DEFAULT));
        this.host = new PartitionHost(Map.of(0, replica), InstantSource.system());
    }

    Replica replica() {
        return replica;
    }

    PartitionHost host() {
        return host;
    }

    ControlPlane catalog(PartitionService partitions) {
        return catalog(partitions, AccountSettings.DEFAULT);
    }

    ControlPlane catalog(PartitionService partitions, AccountSettings settings) {
        return catalog(
                partitions,
                settings,
                Optional.empty(),
                UnaryOperator.identity(),
                Executors.newSingleThreadScheduledExecutor());
    }

    /** A catalog whose account takes keys, if it has none. */
    ControlPlane catalog(PartitionService partitions, AccountKeys keys) {
        return catalog(
                partitions,
                AccountSettings.DEFAULT,
                Optional.of(keys),
                UnaryOperator.identity(),
                Executors.newSingleThreadScheduledExecutor());
    }

    ControlPlane catalog(
            PartitionService partitions,
            UnaryOperator<CommandLog<CatalogRequest, CatalogOutcome>> log,
            ScheduledExecutorService retries) {
        return catalog(partitions, AccountSettings.DEFAULT, Optional.empty(), log, retries);
    }

    private ControlPlane catalog(
            PartitionService partitions,
            AccountSettings settings,
            Optional<AccountKeys> keys,
            UnaryOperator<CommandLog<CatalogRequest, CatalogOutcome>> log,
            ScheduledExecutorService retries) {
        return new ControlPlane(
                ReplicaStore.open(directory.resolve("catalog"), SMALL),
                machine -> log.apply(catalogLog(machine)),
                partitions,
                Bytes.wrap(new byte[32]),
                settings,
                keys,
                InstantSource.system(),
                new SecureRandom(),
                retries);
    }

    /** Works on the account as commands do while no server runs. */
    void offline(Consumer<OfflineAccount> work) {
        try (ReplicaStore store = ReplicaStore.open(directory.resolve("catalog"), SMALL);
                OfflineAccount account =
                        new OfflineAccount(
                                store,
                                CatalogFixture::catalogLog,
                                InstantSource.system(),
                                new SecureRandom())) {
            work.accept(account);
        }
    }

    /** The segment in which a partition keeps its rows. */
    int segment(Container container, PhysicalPartition range) {
        return Objects.requireNonNull(
                        replica.partitions()
                                .get(new PartitionId(container.number(), range.range())))
                .record()
                .ownSegment();
    }

    private static CommandLog<CatalogRequest, CatalogOutcome> catalogLog(
            StateMachine<CatalogRequest, CatalogOutcome> machine) {
        return new LocalLog<>(
                "catalog",
                new ThroughBytes<>(machine, CatalogRequest::encode, CatalogRequest::decode),
                _ -> 1,
                ControlPlane.ENTRY_LIMITS);
    }

    static Container create(ControlPlane catalog, Database database) {
        return catalog.createContainer(
                context(),
                database,
                "c",
                definition(IndexingPolicy.DEFAULT),
                Optional.of(new Throughput.Manual(PARTITIONS * 10_000)));
    }

    static ContainerDefinition definition(IndexingPolicy policy) {
        return new ContainerDefinition(
                new PartitionKeyDefinition(
                        List.of(PropertyPath.parse("/pk")),
                        PartitionKeyDefinition.Kind.HASH,
                        2,
                        false),
                policy,
                ContainerDefinition.ConflictResolution.DEFAULT,
                ContainerDefinition.Geospatial.GEOGRAPHY);
    }

    /** Unlike the definition that {@link #create} gives. */
    static ContainerDefinition changed() {
        return definition(
                new IndexingPolicy(
                        IndexingPolicy.Mode.NONE,
                        false,
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of()));
    }

    static RequestContext context() {
        return new RequestContext(
                UUID.randomUUID(),
                new RequestContext.Principal.Account(false),
                Optional.empty(),
                Optional.empty(),
                System.nanoTime() + Duration.ofMinutes(5).toNanos());
    }

    @Override
    public void close() {
        host.close();
        replica.close();
    }
}
