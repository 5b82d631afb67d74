package orrery.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.cluster.api.AccountLimits;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.OrreryException;
import orrery.model.PartitionKeyDefinition;
import orrery.model.Precondition;
import orrery.model.PropertyPath;
import orrery.model.RequestContext;
import orrery.model.Throughput;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.partition.PartitionHost;
import orrery.partition.ReplicaSet;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.PartitionService;
import orrery.partition.machine.Command;
import orrery.replication.EntryLimits;
import orrery.replication.LocalLog;
import orrery.storage.ReplicaStore;
import orrery.storage.StoreOptions;

/** What a crash between two steps leaves is finished by the next start. */
final class CatalogRecoveryTest {
    private static final StoreOptions SMALL = new StoreOptions(8L << 20, 8L << 20);
    private static final int PARTITIONS = 4;

    @TempDir Path directory;
    private ReplicaSet set;
    private PartitionHost host;

    @BeforeEach
    void open() {
        set =
                new ReplicaSet(
                        ReplicaStore.open(directory.resolve("set"), SMALL),
                        machine ->
                                new LocalLog<>(
                                        "set", machine, Command::sizeOf, EntryLimits.DEFAULT));
        host = new PartitionHost(Map.of(0, set), InstantSource.system());
    }

    @AfterEach
    void close() {
        host.close();
        set.close();
    }

    /** Lets so many partition requests through and fails the rest, as if the node had died. */
    private static final class Dying implements PartitionService {
        private final PartitionService inner;
        private final AtomicInteger left;

        Dying(PartitionService inner, int calls) {
            this.inner = inner;
            this.left = new AtomicInteger(calls);
        }

        @Override
        public PartitionResponse call(int replicaSet, PartitionRequest request, Duration timeout) {
            if (left.getAndDecrement() <= 0) {
                throw new OrreryException(ErrorCode.UNAVAILABLE, "the node has died");
            }
            return inner.call(replicaSet, request, timeout);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 4})
    void halfMadeContainerIsFinishedByTheNextStart(int stepsBeforeCrash) {
        try (LocalCatalog catalog = catalog(new Dying(host, stepsBeforeCrash))) {
            Database database = catalog.createDatabase(context(), "d", Optional.empty());
            if (stepsBeforeCrash < PARTITIONS) {
                OrreryException failure =
                        catchThrowableOfType(
                                OrreryException.class, () -> create(catalog, database));
                assertThat(failure.code()).isEqualTo(ErrorCode.UNAVAILABLE);
            } else {
                create(catalog, database);
            }
        }
        try (LocalCatalog catalog = catalog(host)) {
            Database database = catalog.findDatabase("d").orElseThrow();
            Container container = catalog.findContainer(database.number(), "c").orElseThrow();
            assertThat(container.state()).isEqualTo(Container.State.ONLINE);
            assertThat(set.partitions()).hasSize(PARTITIONS);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void halfDeletedContainerIsRemovedByTheNextStart(int stepsBeforeCrash)
            throws InterruptedException {
        try (LocalCatalog catalog = catalog(host)) {
            create(catalog, catalog.createDatabase(context(), "d", Optional.empty()));
        }
        try (LocalCatalog catalog = catalog(new Dying(host, stepsBeforeCrash))) {
            Database database = catalog.findDatabase("d").orElseThrow();
            Container container = catalog.findContainer(database.number(), "c").orElseThrow();
            catalog.deleteContainer(context(), container, Precondition.NONE);
            assertThat(catalog.findContainer(database.number(), "c")).isEmpty();
        }
        try (LocalCatalog catalog = catalog(host)) {
            while (!set.partitions().isEmpty()) {
                Thread.onSpinWait();
            }
            Database database = catalog.findDatabase("d").orElseThrow();
            assertThat(catalog.containers(database.number(), 0, 10)).isEmpty();
            assertThat(catalog.offers(0, 10)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void halfChangedDefinitionReachesEveryPartition(int stepsBeforeCrash) {
        try (LocalCatalog catalog = catalog(host)) {
            create(catalog, catalog.createDatabase(context(), "d", Optional.empty()));
        }
        ContainerDefinition changed =
                new ContainerDefinition(
                        definition().partitionKey(),
                        new IndexingPolicy(
                                IndexingPolicy.Mode.NONE,
                                false,
                                List.of(),
                                List.of(),
                                List.of(),
                                List.of()),
                        definition().conflictResolution(),
                        definition().geospatial());
        try (LocalCatalog catalog = catalog(new Dying(host, stepsBeforeCrash))) {
            Database database = catalog.findDatabase("d").orElseThrow();
            Container container = catalog.findContainer(database.number(), "c").orElseThrow();
            assertThat(
                            catchThrowableOfType(
                                            OrreryException.class,
                                            () ->
                                                    catalog.replaceContainer(
                                                            context(),
                                                            container,
                                                            changed,
                                                            Precondition.NONE))
                                    .code())
                    .isEqualTo(ErrorCode.UNAVAILABLE);
        }
        try (LocalCatalog catalog = catalog(host)) {
            Database database = catalog.findDatabase("d").orElseThrow();
            Container container = catalog.findContainer(database.number(), "c").orElseThrow();
            assertThat(container.state()).isEqualTo(Container.State.ONLINE);
            assertThat(container.definition()).isEqualTo(changed);
            assertThat(set.partitions().values())
                    .allSatisfy(
                            state ->
                                    assertThat(state.definition().current().definition())
                                            .isEqualTo(changed));
        }
    }

    private LocalCatalog catalog(PartitionService partitions) {
        return new LocalCatalog(
                ReplicaStore.open(directory.resolve("catalog"), SMALL),
                machine -> new LocalLog<>("catalog", machine, _ -> 1, EntryLimits.DEFAULT),
                partitions,
                Bytes.wrap(new byte[32]),
                AccountLimits.DEFAULT,
                InstantSource.system());
    }

    private static Container create(LocalCatalog catalog, Database database) {
        return catalog.createContainer(
                context(),
                database,
                "c",
                definition(),
                Optional.of(new Throughput.Manual(PARTITIONS * 10_000)));
    }

    private static ContainerDefinition definition() {
        return new ContainerDefinition(
                new PartitionKeyDefinition(
                        List.of(PropertyPath.parse("/pk")),
                        PartitionKeyDefinition.Kind.HASH,
                        2,
                        false),
                IndexingPolicy.DEFAULT,
                ContainerDefinition.ConflictResolution.DEFAULT,
                ContainerDefinition.Geospatial.GEOGRAPHY);
    }

    private static RequestContext context() {
        return new RequestContext(
                UUID.randomUUID(),
                new RequestContext.Principal.Account(false),
                Optional.empty(),
                Optional.empty(),
                System.nanoTime() + Duration.ofSeconds(30).toNanos());
    }
}
