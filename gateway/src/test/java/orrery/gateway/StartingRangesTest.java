package orrery.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import orrery.cluster.api.AccountSettings;
import orrery.cluster.api.RuleSet;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ResourceRef;
import orrery.model.Throughput;
import orrery.model.resource.Offer;

/** Containers under the rules of 2024: their ranges at the start, and after they were scaled. */
final class StartingRangesTest {
    @TempDir private Path directory;

    @Test
    void newContainersHaveRoomAndScalingGoesByWhatARangeDelivers() {
        AccountSettings settings =
                AccountSettings.of(RuleSet.RULES_2024).withMetering(false, false, false);
        try (EngineFixture fixture = new EngineFixture(directory, settings)) {
            fixture.container("small", 10_000, "/pk");
            fixture.container("large", 18_000, "/pk");
            create(fixture, "d", "auto", Optional.of(new Throughput.Autoscale(18_000)));
            fixture.engine
                    .resources()
                    .createDatabase(
                            EngineFixture.context(),
                            "e",
                            Optional.of(new Throughput.Manual(18_000)));
            create(fixture, "e", "sharing", Optional.empty());

            assertThat(ranges(fixture, "d", "small")).isEqualTo(1);
            assertThat(ranges(fixture, "d", "large")).isEqualTo(3);
            assertThat(ranges(fixture, "d", "auto")).isEqualTo(2);
            assertThat(ranges(fixture, "e", "sharing")).isEqualTo(2);

            scale(fixture, "large", 30_000);
            assertThat(ranges(fixture, "d", "large")).isEqualTo(3);
            scale(fixture, "small", 20_000);
            assertThat(ranges(fixture, "d", "small")).isEqualTo(2);
        }
    }

    private static void create(
            EngineFixture fixture, String database, String name, Optional<Throughput> throughput) {
        fixture.engine
                .resources()
                .createContainer(
                        EngineFixture.context(),
                        new ResourceRef.Named(database),
                        name,
                        EngineFixture.definition("/pk"),
                        throughput);
    }

    /** Returns when all partitions are there. */
    private static void scale(EngineFixture fixture, String name, int requestUnits) {
        Offer offer =
                fixture.engine
                        .resources()
                        .findOffer(
                                EngineFixture.context(),
                                fixture.engine
                                        .resources()
                                        .readContainer(EngineFixture.context(), ref("d", name))
                                        .rid())
                        .orElseThrow();
        Offer replaced =
                fixture.engine
                        .resources()
                        .replaceOffer(
                                EngineFixture.context(),
                                offer.rid(),
                                new Throughput.Manual(requestUnits));
        while (fixture.engine.resources().isReplacePending(EngineFixture.context(), replaced)) {
            Thread.onSpinWait();
        }
    }

    private static int ranges(EngineFixture fixture, String database, String name) {
        return fixture.engine
                .resources()
                .readPartitionMap(EngineFixture.context(), ref(database, name))
                .partitions()
                .size();
    }

    private static ContainerRef ref(String database, String name) {
        return ContainerRef.Addressed.byName(database, name);
    }
}
