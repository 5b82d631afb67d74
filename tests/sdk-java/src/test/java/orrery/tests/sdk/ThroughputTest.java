package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static orrery.tests.sdk.Cosmos.assertFails;
import static orrery.tests.sdk.Cosmos.database;
import static orrery.tests.sdk.Cosmos.properties;
import static orrery.tests.sdk.Cosmos.uniqueName;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.ThroughputProperties;
import com.azure.cosmos.models.ThroughputResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Throughput of containers and databases: read, and replace, also with more partitions. */
@Tag("client")
@Timeout(900)
final class ThroughputTest {
    @Test
    void manualThroughputOfOnePartition() {
        CosmosContainer container = create(ThroughputProperties.createManualThroughput(400));

        assertThat(manual(container.readThroughput())).isEqualTo(400);
        assertThat(replaceManual(container, 1000)).isEqualTo(1000);
        assertThat(replaceManual(container, 10_000)).isEqualTo(10_000);
        assertThat(replaceManual(container, 400)).isEqualTo(400);
        assertThat(manual(container.readThroughput())).isEqualTo(400);
        assertThat(container.getFeedRanges()).hasSize(1);
        assertMoreBringsPartitions(container, 10_100, 2);
    }

    @Test
    void manualThroughputOfFivePartitions() {
        CosmosContainer container = create(ThroughputProperties.createManualThroughput(50_000));

        assertThat(manual(container.readThroughput())).isEqualTo(50_000);
        assertThat(replaceManual(container, 45_000)).isEqualTo(45_000);
        assertThat(replaceManual(container, 50_000)).isEqualTo(50_000);
        assertThat(container.getFeedRanges()).hasSize(5);
        assertMoreBringsPartitions(container, 50_100, 6);
    }

    @Test
    void autoscaleThroughput() {
        CosmosContainer container = create(ThroughputProperties.createAutoscaledThroughput(4000));

        assertThat(container.readThroughput().getProperties().getAutoscaleMaxThroughput())
                .isEqualTo(4000);
        container.replaceThroughput(ThroughputProperties.createAutoscaledThroughput(8000));
        assertThat(container.readThroughput().getProperties().getAutoscaleMaxThroughput())
                .isEqualTo(8000);
        assertThat(container.getFeedRanges()).hasSize(1);
        container.replaceThroughput(ThroughputProperties.createAutoscaledThroughput(20_000));
        awaitReplaced(container);
        KeyRange.await(container, 2);
    }

    @Test
    void autoscaleThroughputOfFivePartitions() {
        CosmosContainer container = create(ThroughputProperties.createAutoscaledThroughput(50_000));

        assertThat(container.getFeedRanges()).hasSize(5);
        assertThat(container.readThroughput().getProperties().getAutoscaleMaxThroughput())
                .isEqualTo(50_000);
    }

    @Test
    void badValuesAreRefused() {
        for (int bad : new int[] {300, 450, -100}) {
            assertFails(400, 0, () -> create(ThroughputProperties.createManualThroughput(bad)));
        }
        for (int bad : new int[] {500, 1500}) {
            assertFails(400, 0, () -> create(ThroughputProperties.createAutoscaledThroughput(bad)));
        }
    }

    @Test
    void containerWithoutThroughputHasTheLeast() {
        String id = uniqueName("c");
        database().createContainer(properties(id, "/pk"));

        assertThat(manual(database().getContainer(id).readThroughput())).isEqualTo(400);
    }

    @Test
    void sharedThroughputBelongsToTheDatabase() {
        String id = uniqueName("db");
        Cosmos.client().createDatabase(id, ThroughputProperties.createManualThroughput(1000));
        CosmosDatabase shared = Cosmos.client().getDatabase(id);
        shared.createContainer(properties("joins", "/pk"));
        shared.createContainer(
                properties("own", "/pk"), ThroughputProperties.createManualThroughput(500));

        assertThat(manual(shared.readThroughput())).isEqualTo(1000);
        shared.replaceThroughput(ThroughputProperties.createManualThroughput(2000));
        assertThat(manual(shared.readThroughput())).isEqualTo(2000);
        assertThat(manual(shared.getContainer("own").readThroughput())).isEqualTo(500);
        CosmosException none =
                catchThrowableOfType(
                        CosmosException.class, () -> shared.getContainer("joins").readThroughput());
        assertThat(none.getStatusCode()).isEqualTo(400);
    }

    @Test
    void databaseWithoutThroughputHasNone() {
        CosmosException none =
                catchThrowableOfType(CosmosException.class, () -> database().readThroughput());
        assertThat(none.getStatusCode()).isEqualTo(400);
    }

    private static void assertMoreBringsPartitions(
            CosmosContainer container, int throughput, int partitions) {
        container.replaceThroughput(ThroughputProperties.createManualThroughput(throughput));
        awaitReplaced(container);
        assertThat(manual(container.readThroughput())).isEqualTo(throughput);
        KeyRange.await(container, partitions);
    }

    private static void awaitReplaced(CosmosContainer container) {
        while (container.readThroughput().isReplacePending()) {
            Thread.onSpinWait();
        }
    }

    private static Integer replaceManual(CosmosContainer container, int throughput) {
        ThroughputResponse response =
                container.replaceThroughput(
                        ThroughputProperties.createManualThroughput(throughput));
        assertThat(response.getStatusCode()).isEqualTo(200);
        return manual(response);
    }

    private static Integer manual(ThroughputResponse response) {
        assertThat(response.getMinThroughput()).isPositive();
        assertThat(response.isReplacePending()).isFalse();
        return response.getProperties().getManualThroughput();
    }

    private static CosmosContainer create(ThroughputProperties throughput) {
        String id = uniqueName("c");
        database().createContainer(properties(id, "/pk"), throughput);
        return database().getContainer(id);
    }
}
