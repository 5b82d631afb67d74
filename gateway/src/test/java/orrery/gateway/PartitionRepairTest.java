package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.cluster.api.AccountSettings;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerDefinition.ComputedProperty;
import orrery.model.Derived;
import orrery.model.DerivedRow;
import orrery.model.EffectiveKey;
import orrery.model.EffectiveKeys;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.ItemKey;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.model.RequestId;
import orrery.model.RowKey;
import orrery.model.resource.PhysicalPartition;
import orrery.partition.machine.Command;
import orrery.partition.machine.PartitionState;

/** An operator looks at a failed partition and lets it take writes again. */
final class PartitionRepairTest {
    private static final IndexingPolicy POLICY =
            new IndexingPolicy(
                    IndexingPolicy.Mode.CONSISTENT,
                    true,
                    List.of("/cp/?"),
                    List.of("/*"),
                    List.of(),
                    List.of());

    @TempDir Path directory;
    private EngineFixture fixture;
    private ContainerRef container;

    @BeforeEach
    void open() {
        fixture =
                new EngineFixture(
                        directory, AccountSettings.DEFAULT.withMetering(false, false, false));
        container =
                fixture.container(
                        "c",
                        400,
                        new ContainerDefinition(
                                        EngineFixture.definition("/pk").partitionKey(),
                                        POLICY,
                                        ContainerDefinition.ConflictResolution.DEFAULT,
                                        ContainerDefinition.Geospatial.GEOGRAPHY)
                                .withComputedProperties(
                                        List.of(
                                                new ComputedProperty(
                                                        "cp", "SELECT VALUE c.x FROM c"))));
        fixture.replica.raiseLevel(EngineFixture.PATIENCE);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    /** Puts a command into the log that cannot be applied. */
    private void poison() {
        PartitionKey key = PartitionKey.ofText("north");
        EffectiveKey epk = EffectiveKeys.of(EngineFixture.definition("/pk").partitionKey(), key);
        PartitionId id =
                fixture.replica.partitions().entrySet().stream()
                        .filter(each -> each.getValue().record().keys().contains(epk))
                        .map(Map.Entry::getKey)
                        .findFirst()
                        .orElseThrow();
        PartitionState state = fixture.replica.find(id).orElseThrow();
        ItemKey item = new ItemKey(epk, key, RowKey.ofText("poison"));
        Derived unreadable =
                new Derived(
                        state.record().policyVersion(),
                        Derived.ANY_TIME,
                        List.of(new DerivedRow(DerivedRow.COMPUTED, "cp", Bytes.EMPTY)));
        fixture.replica.submit(
                new Command.WriteItems(
                        id,
                        new RequestId(1, 1),
                        1,
                        List.of(
                                new Command.ItemChange.Put(
                                                item,
                                                Command.Expect.ANY,
                                                Precondition.NONE,
                                                Encoding.JSON,
                                                Bytes.ofUtf8("{\"id\":\"poison\"}"))
                                        .with(unreadable, null))),
                EngineFixture.PATIENCE);
    }

    private Optional<String> failure() {
        return fixture.engine
                .resources()
                .inspect(EngineFixture.context(), container, 0)
                .partitions()
                .getFirst()
                .failure();
    }

    private static void assertRefused(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        OrreryException.class,
                        refused -> assertThat(refused.code()).isEqualTo(code));
    }

    @Test
    void writesGoOnAfterARepair() {
        fixture.create(container, "{\"id\":\"1\",\"pk\":\"north\"}");
        poison();
        assertThat(failure()).isPresent();
        assertRefused(
                ErrorCode.UNAVAILABLE,
                () -> fixture.create(container, "{\"id\":\"2\",\"pk\":\"north\"}"));

        fixture.engine.operations().repairPartition(EngineFixture.context(), container, 0);

        assertThat(failure()).isEmpty();
        fixture.create(container, "{\"id\":\"2\",\"pk\":\"north\"}");
        assertThat(
                        fixture.all(
                                container,
                                new FeedScope.Everything(),
                                "SELECT VALUE c.id FROM c ORDER BY c.id",
                                10))
                .containsExactly("\"1\"", "\"2\"");
    }

    @Test
    void onlyAFailedRangeIsRepairedAndOnlyWithAKeyThatWrites() {
        assertRefused(
                ErrorCode.CONFLICT,
                () ->
                        fixture.engine
                                .operations()
                                .repairPartition(EngineFixture.context(), container, 0));
        assertRefused(
                ErrorCode.BAD_REQUEST,
                () ->
                        fixture.engine
                                .operations()
                                .repairPartition(EngineFixture.context(), container, 9));
        poison();
        assertRefused(
                ErrorCode.FORBIDDEN,
                () ->
                        fixture.engine
                                .operations()
                                .repairPartition(EngineFixture.readOnly(), container, 0));
        assertThat(failure()).isPresent();
    }

    /** A pending reshape would keep the container from all others until the repair. */
    @Test
    void aSplitOfAFailedRangeIsCancelledWithTheReason() {
        for (int i = 0; i < 10; i++) {
            fixture.create(container, "{\"id\":\"%d\",\"pk\":\"k%d\"}".formatted(i, i));
        }
        poison();
        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(this::split)
                    .isInstanceOfSatisfying(
                            OrreryException.class,
                            refused -> {
                                assertThat(refused.code()).isEqualTo(ErrorCode.BAD_REQUEST);
                                assertThat(refused.text())
                                        .contains(failure().orElseThrow())
                                        .contains("Repair it first");
                            });
        }

        fixture.engine.operations().repairPartition(EngineFixture.context(), container, 0);
        split();

        assertThat(
                        fixture.engine
                                .resources()
                                .readPartitionMap(EngineFixture.context(), container)
                                .partitions())
                .hasSize(2);
    }

    private void split() {
        fixture.engine.operations().splitPartition(EngineFixture.context(), container, 0);
    }

    @Test
    void aMergeWithAFailedRangeIsCancelledAndWorksAfterTheRepair() {
        for (int i = 0; i < 10; i++) {
            fixture.create(container, "{\"id\":\"%d\",\"pk\":\"k%d\"}".formatted(i, i));
        }
        split();
        List<PhysicalPartition> halves =
                fixture.engine
                        .resources()
                        .readPartitionMap(EngineFixture.context(), container)
                        .partitions();
        poison();
        assertRefused(ErrorCode.BAD_REQUEST, () -> merge(halves));

        int failed =
                fixture
                        .engine
                        .resources()
                        .inspect(EngineFixture.context(), container, 0)
                        .partitions()
                        .stream()
                        .filter(each -> each.failure().isPresent())
                        .map(each -> each.partition().range())
                        .findFirst()
                        .orElseThrow();
        fixture.engine.operations().repairPartition(EngineFixture.context(), container, failed);
        merge(halves);

        assertThat(
                        fixture.engine
                                .resources()
                                .readPartitionMap(EngineFixture.context(), container)
                                .partitions())
                .hasSize(1);
    }

    private void merge(List<PhysicalPartition> halves) {
        fixture.engine
                .operations()
                .mergePartitions(EngineFixture.context(), container, halves.getFirst().range());
    }
}
