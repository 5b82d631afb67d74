package orrery.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static orrery.cluster.CatalogFixture.PARTITIONS;
import static orrery.cluster.CatalogFixture.context;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.cluster.api.AccountSettings;
import orrery.model.ContainerDefinition;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.Precondition;
import orrery.model.metering.RequestTerms;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.PartitionService;

/** What a crash between two steps leaves is finished by the next start. */
final class CatalogRecoveryTest {
    @TempDir Path directory;
    private CatalogFixture fixture;

    @BeforeEach
    void open() {
        fixture = new CatalogFixture(directory);
    }

    @AfterEach
    void close() {
        fixture.close();
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
        public PartitionResponse call(
                int replicaSet, PartitionRequest request, RequestTerms terms, Duration timeout) {
            if (left.getAndDecrement() <= 0) {
                throw new OrreryException(ErrorCode.UNAVAILABLE, "the node has died");
            }
            return inner.call(replicaSet, request, terms, timeout);
        }

        @Override
        public List<PartitionId> largerThan(int replicaSet, long bytes) {
            return inner.largerThan(replicaSet, bytes);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 4})
    void halfMadeContainerIsFinishedByTheNextStart(int stepsBeforeCrash) {
        try (LocalCatalog catalog = fixture.catalog(new Dying(fixture.host(), stepsBeforeCrash))) {
            Database database = catalog.createDatabase(context(), "d", Optional.empty());
            if (stepsBeforeCrash < PARTITIONS) {
                OrreryException failure =
                        catchThrowableOfType(
                                OrreryException.class,
                                () -> CatalogFixture.create(catalog, database));
                assertThat(failure.code()).isEqualTo(ErrorCode.UNAVAILABLE);
            } else {
                CatalogFixture.create(catalog, database);
            }
        }
        try (LocalCatalog catalog = fixture.catalog(fixture.host())) {
            Database database = catalog.findDatabase("d").orElseThrow();
            Container container = catalog.findContainer(database.number(), "c").orElseThrow();
            assertThat(container.state()).isEqualTo(Container.State.ONLINE);
            assertThat(fixture.set().partitions()).hasSize(PARTITIONS);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void halfDeletedContainerIsRemovedByTheNextStart(int stepsBeforeCrash)
            throws InterruptedException {
        try (LocalCatalog catalog = fixture.catalog(fixture.host())) {
            CatalogFixture.create(
                    catalog, catalog.createDatabase(context(), "d", Optional.empty()));
        }
        try (LocalCatalog catalog = fixture.catalog(new Dying(fixture.host(), stepsBeforeCrash))) {
            Database database = catalog.findDatabase("d").orElseThrow();
            Container container = catalog.findContainer(database.number(), "c").orElseThrow();
            catalog.deleteContainer(context(), container, Precondition.NONE);
            assertThat(catalog.findContainer(database.number(), "c")).isEmpty();
        }
        try (LocalCatalog catalog = fixture.catalog(fixture.host())) {
            while (!fixture.set().partitions().isEmpty()) {
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
        try (LocalCatalog catalog = fixture.catalog(fixture.host())) {
            CatalogFixture.create(
                    catalog, catalog.createDatabase(context(), "d", Optional.empty()));
        }
        ContainerDefinition changed = CatalogFixture.changed();
        try (LocalCatalog catalog = fixture.catalog(new Dying(fixture.host(), stepsBeforeCrash))) {
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
        try (LocalCatalog catalog = fixture.catalog(fixture.host())) {
            Database database = catalog.findDatabase("d").orElseThrow();
            Container container = catalog.findContainer(database.number(), "c").orElseThrow();
            assertThat(container.state()).isEqualTo(Container.State.ONLINE);
            assertThat(container.definition()).isEqualTo(changed);
            assertThat(fixture.set().partitions().values())
                    .allSatisfy(
                            state ->
                                    assertThat(state.definition().current().definition())
                                            .isEqualTo(changed));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 4})
    void changedLimitsReachEveryPartition(int stepsBeforeCrash) {
        try (LocalCatalog catalog = fixture.catalog(fixture.host())) {
            CatalogFixture.create(
                    catalog, catalog.createDatabase(context(), "d", Optional.empty()));
        }
        AccountSettings smaller = AccountSettings.DEFAULT.withStorage(2L << 20, 1L << 20);
        try (LocalCatalog catalog =
                fixture.catalog(new Dying(fixture.host(), stepsBeforeCrash), smaller)) {
            assertThat(catalog.settings()).isEqualTo(smaller);
        }
        try (LocalCatalog catalog = fixture.catalog(fixture.host(), smaller)) {
            assertLogicalLimit(catalog, 1L << 20);
        }
        try (LocalCatalog catalog = fixture.catalog(fixture.host())) {
            assertLogicalLimit(catalog, 20L << 30);
        }
    }

    /** Partitions that were open before the crash had the limits of that time. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void halfMadeContainerGetsTheLimitsOfTheNextStart(int stepsBeforeCrash) {
        try (LocalCatalog catalog = fixture.catalog(new Dying(fixture.host(), stepsBeforeCrash))) {
            Database database = catalog.createDatabase(context(), "d", Optional.empty());
            assertThat(
                            catchThrowableOfType(
                                            OrreryException.class,
                                            () -> CatalogFixture.create(catalog, database))
                                    .code())
                    .isEqualTo(ErrorCode.UNAVAILABLE);
        }
        AccountSettings smaller = AccountSettings.DEFAULT.withStorage(2L << 20, 1L << 20);
        try (LocalCatalog catalog = fixture.catalog(fixture.host(), smaller)) {
            assertLogicalLimit(catalog, 1L << 20);
        }
    }

    private void assertLogicalLimit(LocalCatalog catalog, long bytes) {
        Database database = catalog.findDatabase("d").orElseThrow();
        Container container = catalog.findContainer(database.number(), "c").orElseThrow();
        assertThat(container.state()).isEqualTo(Container.State.ONLINE);
        assertThat(fixture.set().partitions()).hasSize(PARTITIONS);
        assertThat(fixture.set().partitions().values())
                .allSatisfy(
                        state ->
                                assertThat(state.definition().current().logicalPartitionMaxBytes())
                                        .isEqualTo(bytes));
    }
}
