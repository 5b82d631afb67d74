package orrery.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static orrery.cluster.CatalogFixture.PARTITIONS;
import static orrery.cluster.CatalogFixture.context;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.cluster.api.AccountSettings;
import orrery.model.ContainerDefinition;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.Throughput;
import orrery.model.metering.Charge;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.security.AccountKeys;
import orrery.model.security.KeyKind;
import orrery.partition.api.ControlRequest;
import orrery.partition.api.PartitionEnvelope;
import orrery.partition.api.PartitionRequest;
import orrery.partition.api.PartitionResponse;
import orrery.partition.api.PartitionService;

/** The next start finishes the work that a crash between two steps left. */
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
        public PartitionResponse call(PartitionEnvelope envelope) {
            boolean counts = envelope.request() instanceof ControlRequest;
            if (counts && left.getAndDecrement() <= 0) {
                throw new OrreryException(ErrorCode.UNAVAILABLE, "the node has died");
            }
            return inner.call(envelope);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 4})
    void halfMadeContainerIsFinishedByTheNextStart(int stepsBeforeCrash) {
        try (ControlPlane catalog = fixture.catalog(new Dying(fixture.host(), stepsBeforeCrash))) {
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
        try (ControlPlane catalog = fixture.catalog(fixture.host())) {
            Database database = catalog.findDatabase("d").orElseThrow();
            Container container = catalog.findContainer(database.number(), "c").orElseThrow();
            assertThat(container.state()).isEqualTo(Container.State.ONLINE);
            assertThat(fixture.replica().partitions()).hasSize(PARTITIONS);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void halfDeletedContainerIsRemovedByTheNextStart(int stepsBeforeCrash)
            throws InterruptedException {
        try (ControlPlane catalog = fixture.catalog(fixture.host())) {
            CatalogFixture.create(
                    catalog, catalog.createDatabase(context(), "d", Optional.empty()));
        }
        try (ControlPlane catalog = fixture.catalog(new Dying(fixture.host(), stepsBeforeCrash))) {
            Database database = catalog.findDatabase("d").orElseThrow();
            Container container = catalog.findContainer(database.number(), "c").orElseThrow();
            catalog.deleteContainer(context(), container, Precondition.NONE);
            assertThat(catalog.findContainer(database.number(), "c")).isEmpty();
        }
        try (ControlPlane catalog = fixture.catalog(fixture.host())) {
            // The catalog forgets it when all its partitions are gone.
            while (!fixture.replica().partitions().isEmpty() || !catalog.offers(0, 10).isEmpty()) {
                Thread.onSpinWait();
            }
            Database database = catalog.findDatabase("d").orElseThrow();
            assertThat(catalog.containers(database.number(), 0, 10)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void halfChangedDefinitionReachesEveryPartition(int stepsBeforeCrash) {
        try (ControlPlane catalog = fixture.catalog(fixture.host())) {
            CatalogFixture.create(
                    catalog, catalog.createDatabase(context(), "d", Optional.empty()));
        }
        ContainerDefinition changed = CatalogFixture.changed();
        try (ControlPlane catalog = fixture.catalog(new Dying(fixture.host(), stepsBeforeCrash))) {
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
        try (ControlPlane catalog = fixture.catalog(fixture.host())) {
            Database database = catalog.findDatabase("d").orElseThrow();
            Container container = catalog.findContainer(database.number(), "c").orElseThrow();
            assertThat(container.state()).isEqualTo(Container.State.ONLINE);
            assertThat(container.definition()).isEqualTo(changed);
            assertThat(fixture.replica().partitions().values())
                    .allSatisfy(
                            state ->
                                    assertThat(state.definition().current().definition())
                                            .isEqualTo(changed));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 4})
    void changedLimitsReachEveryPartition(int stepsBeforeCrash) {
        try (ControlPlane catalog = fixture.catalog(fixture.host())) {
            CatalogFixture.create(
                    catalog, catalog.createDatabase(context(), "d", Optional.empty()));
        }
        AccountSettings smaller = AccountSettings.DEFAULT.withStorage(2L << 20, 1L << 20);
        // The start itself tells each partition its budget.
        try (ControlPlane catalog =
                fixture.catalog(new Dying(fixture.host(), PARTITIONS + stepsBeforeCrash))) {
            catalog.changeSettings(_ -> smaller);
            assertThat(catalog.settings()).isEqualTo(smaller);
        }
        try (ControlPlane catalog = fixture.catalog(fixture.host())) {
            assertThat(catalog.settings()).isEqualTo(smaller);
            assertLogicalLimit(catalog, 1L << 20);
            catalog.changeSettings(_ -> AccountSettings.DEFAULT);
            assertLogicalLimit(catalog, 20L << 30);
        }
    }

    /** The partitions are told at the next start. */
    @Test
    void limitsAreChangedWhileNoServerRuns() {
        try (ControlPlane catalog = fixture.catalog(fixture.host())) {
            CatalogFixture.create(
                    catalog, catalog.createDatabase(context(), "d", Optional.empty()));
        }
        AccountSettings smaller = AccountSettings.DEFAULT.withStorage(2L << 20, 1L << 20);
        fixture.offline(account -> account.changeSettings(_ -> smaller));
        try (ControlPlane catalog = fixture.catalog(fixture.host())) {
            assertLogicalLimit(catalog, 1L << 20);
        }
    }

    /** Settings are given to the first start; they change by a command of their own only. */
    @Test
    void aLaterStartKeepsTheAccount() {
        AccountSettings first = AccountSettings.DEFAULT.withServiceQuotas(true);
        try (ControlPlane catalog = fixture.catalog(fixture.host(), first)) {
            assertThat(catalog.settings()).isEqualTo(first);
        }
        try (ControlPlane catalog = fixture.catalog(fixture.host(), AccountSettings.DEFAULT)) {
            assertThat(catalog.settings()).isEqualTo(first);
        }
    }

    /** Keys may be made before the first start; that start still brings the settings. */
    @Test
    void keysAreMadeBeforeTheAccountIs() {
        AccountKeys keys = AccountKeys.generate(new SecureRandom());
        fixture.offline(
                account -> {
                    account.replaceKeys(
                            Stream.of(KeyKind.values())
                                    .collect(Collectors.toMap(kind -> kind, keys::get)));
                    assertThat(account.isSetUp()).isFalse();
                });
        AccountSettings first = AccountSettings.DEFAULT.withServiceQuotas(true);
        try (ControlPlane catalog = fixture.catalog(fixture.host(), first)) {
            assertThat(catalog.settings()).isEqualTo(first);
            assertThat(catalog.keys()).hasValue(keys);
            String fresh = AccountKeys.newKey(new SecureRandom());
            catalog.replaceKeys(Map.of(KeyKind.SECONDARY, fresh));
            assertThat(catalog.keys()).hasValue(keys.replacing(Map.of(KeyKind.SECONDARY, fresh)));
        }
    }

    /** Accounts of older versions have none. */
    @Test
    void anAccountWithoutKeysTakesThemFromItsNextStart() {
        AccountKeys keys = AccountKeys.generate(new SecureRandom());
        try (ControlPlane catalog = fixture.catalog(fixture.host())) {
            assertThat(catalog.keys()).isEmpty();
        }
        try (ControlPlane catalog = fixture.catalog(fixture.host(), keys)) {
            assertThat(catalog.keys()).hasValue(keys);
        }
        AccountKeys others = AccountKeys.generate(new SecureRandom());
        try (ControlPlane catalog = fixture.catalog(fixture.host(), others)) {
            assertThat(catalog.keys()).hasValue(keys);
        }
    }

    @Test
    void aChangeOfSettingsThatAreOutOfDateIsRefused() {
        try (ControlPlane catalog = fixture.catalog(fixture.host())) {
            OrreryException refused =
                    catchThrowableOfType(
                            OrreryException.class,
                            () ->
                                    catalog.changeSettings(
                                            before -> {
                                                catalog.changeSettings(
                                                        same -> same.withServiceQuotas(true));
                                                return before.withMetering(false, false, false);
                                            }));
            assertThat(refused.code()).isEqualTo(ErrorCode.CONFLICT);
            assertThat(catalog.settings())
                    .isEqualTo(AccountSettings.DEFAULT.withServiceQuotas(true));
        }
    }

    @Test
    void settingsOfAnAccountThatIsNotThereAreRefused() {
        fixture.offline(
                account ->
                        assertThat(
                                        catchThrowableOfType(
                                                        OrreryException.class,
                                                        () -> account.changeSettings(s -> s))
                                                .code())
                                .isEqualTo(ErrorCode.NOT_FOUND));
    }

    /** Partitions that were open before the crash had the limits of that time. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void halfMadeContainerGetsTheLimitsOfTheNextStart(int stepsBeforeCrash) {
        try (ControlPlane catalog = fixture.catalog(new Dying(fixture.host(), stepsBeforeCrash))) {
            Database database = catalog.createDatabase(context(), "d", Optional.empty());
            assertThat(
                            catchThrowableOfType(
                                            OrreryException.class,
                                            () -> CatalogFixture.create(catalog, database))
                                    .code())
                    .isEqualTo(ErrorCode.UNAVAILABLE);
        }
        AccountSettings smaller = AccountSettings.DEFAULT.withStorage(2L << 20, 1L << 20);
        fixture.offline(account -> account.changeSettings(_ -> smaller));
        try (ControlPlane catalog = fixture.catalog(fixture.host())) {
            assertLogicalLimit(catalog, 1L << 20);
        }
    }

    /** Answers some requests with a refusal of its own. */
    private record Refusing(
            PartitionService inner, Function<PartitionRequest, Optional<ErrorCode>> refusal)
            implements PartitionService {
        @Override
        public PartitionResponse call(PartitionEnvelope envelope) {
            return refusal.apply(envelope.request())
                    .<PartitionResponse>map(
                            code ->
                                    new PartitionResponse.Failed(
                                            code, "not now", 0, 0, Charge.NONE))
                    .orElseGet(() -> inner.call(envelope));
        }
    }

    private static Container found(ControlPlane catalog) {
        Database database = catalog.findDatabase("d").orElseThrow();
        return catalog.findContainer(database.number(), "c").orElseThrow();
    }

    /** Nobody but the catalog remembers the merge, and it may have to wait more than once. */
    @Test
    @Timeout(900)
    void aMergeThatWaitsIsFinishedWithTheChangeThatItMet() {
        try (ControlPlane catalog = fixture.catalog(fixture.host())) {
            CatalogFixture.create(
                    catalog, catalog.createDatabase(context(), "d", Optional.empty()));
            catalog.replaceOffer(
                    context(),
                    catalog.offers(0, 1).getFirst(),
                    new Throughput.Manual(10_000),
                    Optional.empty(),
                    Precondition.NONE);
        }
        PartitionService dying =
                new Refusing(
                        fixture.host(),
                        request ->
                                request instanceof ControlRequest.Merge
                                                || request instanceof ControlRequest.SetDefinition
                                        ? Optional.of(ErrorCode.UNAVAILABLE)
                                        : Optional.empty());
        try (ControlPlane catalog = fixture.catalog(dying)) {
            Container container = found(catalog);
            assertThat(failure(() -> catalog.mergePartitions(context(), container, 0)))
                    .isEqualTo(ErrorCode.UNAVAILABLE);
            assertThat(
                            failure(
                                    () ->
                                            catalog.replaceContainer(
                                                    context(),
                                                    container,
                                                    CatalogFixture.changed(),
                                                    Precondition.NONE)))
                    .isEqualTo(ErrorCode.UNAVAILABLE);
            assertThat(found(catalog).state()).isEqualTo(Container.State.CHANGING);
        }
        AtomicInteger waits = new AtomicInteger(2);
        PartitionService busy =
                new Refusing(
                        fixture.host(),
                        request ->
                                request instanceof ControlRequest.Merge
                                                && waits.getAndDecrement() > 0
                                        ? Optional.of(ErrorCode.RETRY_WITH)
                                        : Optional.empty());
        try (ControlPlane catalog = fixture.catalog(busy)) {
            assertThat(found(catalog).state()).isEqualTo(Container.State.ONLINE);
            while (catalog.partitionMap(found(catalog)).partitions().size() == PARTITIONS) {
                Thread.onSpinWait();
            }
            assertThat(fixture.replica().partitions().values())
                    .hasSize(PARTITIONS - 1)
                    .allSatisfy(
                            state ->
                                    assertThat(state.definition().current().definition())
                                            .isEqualTo(CatalogFixture.changed()));
        }
    }

    /**
     * A container that is not open cannot be split, and a start would try to split it before it
     * opens anything.
     */
    @Test
    void aContainerThatIsBeingMadeOrChangedIsNeitherSplitNorMerged() {
        PartitionService closed =
                new Refusing(
                        fixture.host(),
                        request ->
                                request instanceof ControlRequest.Open
                                        ? Optional.of(ErrorCode.UNAVAILABLE)
                                        : Optional.empty());
        try (ControlPlane catalog = fixture.catalog(closed)) {
            Database database = catalog.createDatabase(context(), "d", Optional.empty());
            assertThat(failure(() -> CatalogFixture.create(catalog, database)))
                    .isEqualTo(ErrorCode.UNAVAILABLE);
            assertThat(failure(() -> catalog.splitPartition(context(), found(catalog), 0)))
                    .isEqualTo(ErrorCode.CONFLICT);
        }
        PartitionService unchangeable =
                new Refusing(
                        fixture.host(),
                        request ->
                                request instanceof ControlRequest.SetDefinition
                                        ? Optional.of(ErrorCode.UNAVAILABLE)
                                        : Optional.empty());
        try (ControlPlane catalog = fixture.catalog(unchangeable)) {
            assertThat(found(catalog).state()).isEqualTo(Container.State.ONLINE);
            assertThat(
                            failure(
                                    () ->
                                            catalog.replaceContainer(
                                                    context(),
                                                    found(catalog),
                                                    CatalogFixture.changed(),
                                                    Precondition.NONE)))
                    .isEqualTo(ErrorCode.UNAVAILABLE);
            assertThat(failure(() -> catalog.splitPartition(context(), found(catalog), 0)))
                    .isEqualTo(ErrorCode.CONFLICT);
        }
        try (ControlPlane catalog = fixture.catalog(fixture.host())) {
            assertThat(catalog.splitPartition(context(), found(catalog), 0).partitions())
                    .hasSize(PARTITIONS + 1);
        }
    }

    private static ErrorCode failure(ThrowingCallable call) {
        return catchThrowableOfType(OrreryException.class, call).code();
    }

    private void assertLogicalLimit(ControlPlane catalog, long bytes) {
        Database database = catalog.findDatabase("d").orElseThrow();
        Container container = catalog.findContainer(database.number(), "c").orElseThrow();
        assertThat(container.state()).isEqualTo(Container.State.ONLINE);
        assertThat(fixture.replica().partitions()).hasSize(PARTITIONS);
        assertThat(fixture.replica().partitions().values())
                .allSatisfy(
                        state ->
                                assertThat(state.definition().current().logicalPartitionMaxBytes())
                                        .isEqualTo(bytes));
    }
}
