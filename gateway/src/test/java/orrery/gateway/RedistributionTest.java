package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.cluster.api.AccountSettings;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ContainerReport;
import orrery.gateway.api.Redistribution;
import orrery.gateway.api.ResourceRef;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.Throughput;
import orrery.model.resource.Offer;
import orrery.model.resource.PartitionMap;

/** Parts of the throughput, and what becomes of them when ranges or throughput change. */
final class RedistributionTest {
    @TempDir Path directory;
    private EngineFixture fixture;
    private Gateway engine;
    private ContainerRef container;

    @BeforeEach
    void open() {
        start();
        container = fixture.container("c", 12_000, "/pk");
    }

    private void start() {
        fixture =
                new EngineFixture(
                        directory, AccountSettings.DEFAULT.withPartitionMaxThroughput(6000));
        engine = fixture.engine;
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    private PartitionMap map() {
        return engine.resources().readPartitionMap(EngineFixture.context(), container);
    }

    private List<Double> budgets() {
        return engine
                .resources()
                .inspect(EngineFixture.context(), container, 0)
                .partitions()
                .stream()
                .map(ContainerReport.Partition::budgetRu)
                .toList();
    }

    private PartitionMap give(int range, int ru) {
        return engine.operations()
                .redistribute(
                        EngineFixture.context(),
                        container,
                        new Redistribution.Custom(Map.of(range, ru), Map.of()));
    }

    private void scale(int ru) {
        Offer offer =
                engine.resources()
                        .findOffer(
                                EngineFixture.context(),
                                engine.resources()
                                        .readContainer(EngineFixture.context(), container)
                                        .rid())
                        .orElseThrow();
        engine.resources()
                .replaceOffer(EngineFixture.context(), offer.rid(), new Throughput.Manual(ru));
    }

    @Test
    void partitionsAreToldAndAMapThatIsReadAgainShowsIt() {
        scale(8000);
        long epoch = map().epoch();

        PartitionMap changed = give(1, 6000);

        assertThat(changed.fractions()).containsExactly(0.25, 0.75);
        assertThat(changed.epoch()).isGreaterThan(epoch);
        assertThat(budgets()).containsExactly(2000.0, 6000.0);
        fixture.close();
        start();
        assertThat(map()).isEqualTo(changed);
        assertThat(budgets()).containsExactly(2000.0, 6000.0);
    }

    @Test
    void childrenShareThePartOfTheirParentAndAMergeAddsParts() {
        scale(8000);
        give(1, 6000);

        PartitionMap split =
                engine.operations().splitPartition(EngineFixture.context(), container, 1);
        assertThat(split.fractions()).containsExactly(0.25, 0.375, 0.375);
        assertThat(budgets()).containsExactly(2000.0, 3000.0, 3000.0);

        PartitionMap merged =
                engine.operations().mergePartitions(EngineFixture.context(), container, 0);
        assertThat(merged.fractions()).containsExactly(0.625, 0.375);
        assertThat(budgets()).containsExactly(5000.0, 3000.0);
    }

    @Test
    void partsStayWithOtherThroughputWhileTheyFit() {
        scale(8000);
        give(1, 6000);

        scale(4000);
        assertThat(budgets()).containsExactly(1000.0, 3000.0);
        scale(8000);
        assertThat(budgets()).containsExactly(2000.0, 6000.0);
        scale(8100); // 6,075 would be more than a range delivers
        assertThat(map().fractions()).isEmpty();
        assertThat(budgets()).containsExactly(4050.0, 4050.0);
    }

    @Test
    void moreRangesForMoreThroughputHaveEqualParts() {
        scale(8000);
        give(1, 4100);

        scale(18_000);
        while (map().partitions().size() < 3) {
            Thread.onSpinWait();
        }

        assertThat(map().fractions()).isEmpty();
        assertThat(map().fraction(0)).isEqualTo(1.0 / 3);
    }

    @Test
    void onlyThroughputOfTheContainerIsDivided() {
        engine.resources()
                .createDatabase(
                        EngineFixture.context(), "shared", Optional.of(new Throughput.Manual(400)));
        engine.resources()
                .createContainer(
                        EngineFixture.context(),
                        new ResourceRef.Named("shared"),
                        "c",
                        EngineFixture.definition("/pk"),
                        Optional.empty());
        ContainerRef shares = ContainerRef.Addressed.byName("shared", "c");

        OrreryException refusal =
                catchThrowableOfType(
                        OrreryException.class,
                        () ->
                                engine.operations()
                                        .redistribute(
                                                EngineFixture.context(),
                                                shares,
                                                new Redistribution.Equal()));

        assertThat(refusal.code()).isEqualTo(ErrorCode.BAD_REQUEST);
        assertThat(refusal.text()).contains("shares the throughput of its database");
        OrreryException readOnly =
                catchThrowableOfType(
                        OrreryException.class,
                        () ->
                                engine.operations()
                                        .redistribute(
                                                EngineFixture.readOnly(),
                                                container,
                                                new Redistribution.Equal()));
        assertThat(readOnly.code()).isEqualTo(ErrorCode.FORBIDDEN);
    }

    /** Ranges that changed since somebody looked are not given parts meant for others. */
    @Test
    void aMapThatIsNotTheLatestIsRefused() {
        PartitionMap before = map();
        engine.operations().splitPartition(EngineFixture.context(), container, 0);

        OrreryException refusal =
                catchThrowableOfType(
                        OrreryException.class,
                        () ->
                                fixture.catalog.redistribute(
                                        EngineFixture.context(),
                                        engine.resources()
                                                .readContainer(EngineFixture.context(), container),
                                        before,
                                        List.of(0.5, 0.5)));

        assertThat(refusal.code()).isEqualTo(ErrorCode.CONFLICT);
    }
}
