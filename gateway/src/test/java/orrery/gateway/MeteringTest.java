package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.cluster.api.AccountSettings;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ContainerReport;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.ResourceRef;
import orrery.model.Bytes;
import orrery.model.EffectiveKeys;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.Throughput;
import orrery.model.resource.Offer;
import orrery.model.resource.PartitionMap;

/** Checks what requests may spend, and which of them are refused. */
class MeteringTest {
    @TempDir Path directory;

    /** Budgets fill up only when a test lets time pass. */
    private final AtomicLong nanos = new AtomicLong();

    @SuppressWarnings("NullAway.Init") // every test starts its own
    private EngineFixture fixture;

    @SuppressWarnings("NullAway.Init")
    private Gateway engine;

    private void start(AccountSettings settings) {
        fixture = new EngineFixture(directory, settings, nanos::get);
        engine = fixture.engine;
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private Optional<OrreryException> write(ContainerRef container, String key) {
        String json = "{\"id\":\"1\",\"pk\":\"%s\"}".formatted(key);
        try {
            engine.items()
                    .writeItem(
                            EngineFixture.context(),
                            container,
                            new ItemWrite.Upsert(
                                    Bytes.ofUtf8(json), Optional.empty(), Precondition.NONE));
            return Optional.empty();
        } catch (OrreryException failure) {
            return Optional.of(failure);
        }
    }

    /** Writes until one is refused; empty if so many went through. */
    private Optional<OrreryException> drive(ContainerRef container, String key, int writes) {
        for (int i = 0; i < writes; i++) {
            Optional<OrreryException> refusal = write(container, key);
            if (refusal.isPresent()) {
                return refusal;
            }
        }
        return Optional.empty();
    }

    private List<ContainerReport.Partition> partitions(ContainerRef container) {
        return engine.resources().inspect(EngineFixture.context(), container, 10).partitions();
    }

    /** The windows count whole seconds. */
    private ContainerReport.Partition afterASecond(ContainerRef container) {
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        return partitions(container).getFirst();
    }

    /** Keys of which each falls into another range. */
    private List<String> keysOfEachRange(ContainerRef container) {
        PartitionMap map = engine.resources().readPartitionMap(EngineFixture.context(), container);
        return map.partitions().stream()
                .map(
                        partition -> {
                            int i = 0;
                            while (!partition
                                    .keys()
                                    .contains(
                                            EffectiveKeys.of(
                                                    EngineFixture.definition("/pk").partitionKey(),
                                                    PartitionKey.ofText("k" + i)))) {
                                i++;
                            }
                            return "k" + i;
                        })
                .toList();
    }

    @Test
    void whoSpendsMoreThanTheBudgetIsToldWhenToComeBack() {
        start(AccountSettings.DEFAULT);
        ContainerRef container = fixture.container("c", 400, "/pk");

        OrreryException refusal = drive(container, "hot", 1000).orElseThrow();

        assertThat(refusal.code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS);
        assertThat(refusal.retryAfter().orElseThrow())
                .isPositive()
                .isLessThanOrEqualTo(Duration.ofSeconds(1));
        assertThat(refusal.charge().ru()).isZero();
        ContainerReport.Partition seen = afterASecond(container);
        assertThat(seen.budgetRu()).isEqualTo(400);
        assertThat(seen.lastMinute().refused()).isEqualTo(1);
        assertThat(seen.hottestKeys().getFirst().key()).isEqualTo(PartitionKey.ofText("hot"));
        assertThat(seen.largestKeys().getFirst().key()).isEqualTo(PartitionKey.ofText("hot"));
    }

    @Test
    void whatWasRefusedIsNotCountedAsCarriedOut() {
        start(AccountSettings.DEFAULT);
        ContainerRef container = fixture.container("c", 400, "/pk");
        int accepted = 0;
        int refused = 0;
        while (refused < 50) {
            if (write(container, "hot").isEmpty()) {
                accepted++;
            } else {
                refused++;
            }
        }

        ContainerReport.Partition seen = afterASecond(container);

        assertThat(seen.lastMinute().requests()).isEqualTo(accepted);
        assertThat(seen.lastMinute().refused()).isEqualTo(refused);
    }

    @Test
    void withoutAKeyTheLimitOfTheContainerIsThatOfItsOneKey() {
        start(AccountSettings.DEFAULT);
        ContainerRef container = fixture.container("c", 400);

        assertThat(
                        engine.resources()
                                .inspect(EngineFixture.context(), container, 1)
                                .logicalPartitionMaxBytes())
                .isEqualTo(AccountSettings.DEFAULT.fixedMaxBytes())
                .isNotEqualTo(AccountSettings.DEFAULT.logicalPartitionMaxBytes());
    }

    @Test
    void theBudgetOfOneRangeIsNotLentToAnother() {
        start(AccountSettings.DEFAULT.withPartitionMaxThroughput(6000));
        ContainerRef container = fixture.container("c", 18_000, "/pk");
        List<String> keys = keysOfEachRange(container);

        assertThat(partitions(container))
                .extracting(ContainerReport.Partition::budgetRu)
                .containsExactly(6000.0, 6000.0, 6000.0);
        // One second of a third of the budget: about 600 writes at 10 RU.
        assertThat(drive(container, keys.get(0), 5000)).isPresent();
        assertThat(drive(container, keys.get(1), 100)).isEmpty();
        assertThat(drive(container, keys.get(2), 100)).isEmpty();
    }

    @Test
    void containersThatShareADatabaseDrawOnTheSameSlot() {
        start(AccountSettings.DEFAULT);
        engine.resources()
                .createDatabase(
                        EngineFixture.context(), "d", Optional.of(new Throughput.Manual(400)));
        for (String name : List.of("one", "two")) {
            engine.resources()
                    .createContainer(
                            EngineFixture.context(),
                            new ResourceRef.Named("d"),
                            name,
                            EngineFixture.definition("/pk"),
                            Optional.empty());
        }
        engine.resources()
                .createContainer(
                        EngineFixture.context(),
                        new ResourceRef.Named("d"),
                        "apart",
                        EngineFixture.definition("/pk"),
                        Optional.of(new Throughput.Manual(400)));

        assertThat(drive(EngineFixture.ref("one"), "k", 1000)).isPresent();
        Optional<OrreryException> other = write(EngineFixture.ref("two"), "k");
        assertThat(other.map(OrreryException::code)).contains(ErrorCode.TOO_MANY_REQUESTS);
        assertThat(drive(EngineFixture.ref("apart"), "k", 10)).isEmpty();
        assertThat(partitions(EngineFixture.ref("two")).getFirst().sharesBudget()).isTrue();
    }

    @Test
    void withoutThrottlingNobodyIsRefusedAndEverythingIsCounted() {
        start(AccountSettings.DEFAULT.withMetering(false, false, false));
        ContainerRef container = fixture.container("c", 400, "/pk");

        assertThat(drive(container, "hot", 500)).isEmpty();
        assertThat(afterASecond(container).lastMinute().ru()).isGreaterThan(2000);
    }

    @Test
    void aNewBudgetHoldsAtOnce() {
        start(AccountSettings.DEFAULT);
        ContainerRef container = fixture.container("c", 400, "/pk");
        Offer offer =
                engine.resources()
                        .findOffer(
                                EngineFixture.context(),
                                engine.resources()
                                        .readContainer(EngineFixture.context(), container)
                                        .rid())
                        .orElseThrow();

        engine.resources()
                .replaceOffer(EngineFixture.context(), offer.rid(), new Throughput.Manual(10_000));

        assertThat(partitions(container).getFirst().budgetRu()).isEqualTo(10_000);
        engine.operations().splitPartition(EngineFixture.context(), container, 0);
        assertThat(partitions(container))
                .extracting(ContainerReport.Partition::budgetRu)
                .containsExactly(5000.0, 5000.0);
    }

    @Test
    void budgetsAreKnownAgainAfterARestart() {
        start(AccountSettings.DEFAULT);
        ContainerRef container = fixture.container("c", 20_000, "/pk");
        fixture.close();

        start(AccountSettings.DEFAULT);

        assertThat(partitions(container))
                .extracting(ContainerReport.Partition::budgetRu)
                .containsExactly(10_000.0, 10_000.0);
    }

    @Test
    void splitsAreRememberedWithTheirTimes() {
        start(AccountSettings.DEFAULT);
        ContainerRef container = fixture.container("c", 400, "/pk");
        engine.operations().splitPartition(EngineFixture.context(), container, 0);

        ContainerReport report = engine.resources().inspect(EngineFixture.context(), container, 10);

        assertThat(report.events()).hasSize(1);
        assertThat(report.events().getFirst().reason()).isEqualTo("operator");
        assertThat(report.events().getFirst().before()).containsExactly(0);
        assertThat(report.events().getFirst().after()).containsExactly(1, 2);
        assertThat(report.events().getFirst().timeMillis())
                .isEqualTo(report.partitions().getFirst().partition().createdMillis());
    }

    @Test
    void keysStayKnownOverASplitAndAMerge() {
        start(AccountSettings.DEFAULT);
        ContainerRef container = fixture.container("c", 400, "/pk");
        write(container, "one");
        write(container, "two");
        PartitionMap split =
                engine.operations().splitPartition(EngineFixture.context(), container, 0);
        assertThat(partitions(container))
                .flatExtracting(ContainerReport.Partition::hottestKeys)
                .hasSize(2);

        engine.operations()
                .mergePartitions(
                        EngineFixture.context(), container, split.partitions().getFirst().range());

        assertThat(partitions(container).getFirst().hottestKeys()).hasSize(2);
        assertThat(partitions(container).getFirst().largestKeys()).hasSize(2);
        assertThat(partitions(container).getFirst().budgetRu()).isEqualTo(400);
    }

    /** Storage that outgrows a range splits it, until one key is all there is. */
    @Test
    void aFullRangeIsSplit() {
        start(
                AccountSettings.DEFAULT
                        .withStorage(200_000, 1 << 30)
                        .withMetering(false, false, false));
        ContainerRef container = fixture.container("c", 400, "/pk");
        String text = "x".repeat(2000);
        for (int i = 0; i < 300; i++) {
            fixture.create(
                    container,
                    "{\"id\":\"%d\",\"pk\":\"k%d\",\"t\":\"%s\"}".formatted(i, i % 50, text));
        }

        while (partitions(container).stream()
                .anyMatch(p -> p.itemBytes() + p.indexBytes() > 200_000)) {
            Thread.onSpinWait();
        }

        List<ContainerReport.Partition> all = partitions(container);
        assertThat(all).hasSizeGreaterThanOrEqualTo(4);
        assertThat(all.stream().mapToLong(ContainerReport.Partition::items).sum()).isEqualTo(300);
    }
}
