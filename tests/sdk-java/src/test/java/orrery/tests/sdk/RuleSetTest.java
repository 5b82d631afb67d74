package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.assertFails;
import static orrery.tests.sdk.Cosmos.properties;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.ThroughputProperties;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The rules of another year, and a laboratory small enough to fill. */
@Tag("client")
final class RuleSetTest {
    @Test
    void rulesOf2018WithSmallPartitions() {
        try (RunningServer server =
                        RunningServer.start(
                                "--limits", "2018",
                                "--partition-max-throughput", "6000",
                                "--partition-max-storage", "1MB");
                CosmosClient client = Cosmos.newClient(server)) {
            client.createDatabase("db");
            CosmosDatabase database = client.getDatabase("db");

            CosmosContainer three = create(database, "three", 18_000);
            assertThat(three.getFeedRanges()).hasSize(3);
            CosmosException tooLittle =
                    assertFails(400, 0, () -> three.replaceThroughput(manual(900)));
            assertThat(tooLittle.getShortMessage()).contains("between 1000 and 250000");
            assertThat(three.readThroughput().getMinThroughput()).isEqualTo(1000);

            CosmosContainer table = create(database, "table", 800);
            CosmosException tooMuch =
                    assertFails(400, 0, () -> table.replaceThroughput(manual(6100)));
            assertThat(tooMuch.getShortMessage())
                    .contains("between 400 and 6000", "fixed container");
            String pad = "x".repeat(400_000);
            table.createItem(Map.of("id", "1", "pk", "a", "pad", pad));
            table.createItem(Map.of("id", "2", "pk", "b", "pad", pad));
            CosmosException full =
                    assertFails(
                            403,
                            0,
                            () -> table.createItem(Map.of("id", "3", "pk", "c", "pad", pad)));
            assertThat(full.getShortMessage()).contains("1 MB", "migration tool");
            table.deleteItem("1", new PartitionKey("a"), null);
            table.createItem(Map.of("id", "3", "pk", "c", "pad", pad));
        }
    }

    /** By design of the service the SDKs cannot do it: there is a header for it. */
    @Test
    void anSdkDoesNotSwitchToAutoscale() {
        String id = Cosmos.uniqueName("c");
        CosmosContainer container = create(Cosmos.database(), id, 400);
        CosmosException failure =
                assertFails(
                        400,
                        0,
                        () ->
                                container.replaceThroughput(
                                        ThroughputProperties.createAutoscaledThroughput(4000)));
        assertThat(failure.getShortMessage()).contains("x-ms-cosmos-migrate-offer-to-autopilot");
    }

    private static CosmosContainer create(CosmosDatabase database, String id, int requestUnits) {
        database.createContainer(properties(id, "/pk"), manual(requestUnits));
        return database.getContainer(id);
    }

    private static ThroughputProperties manual(int requestUnits) {
        return ThroughputProperties.createManualThroughput(requestUnits);
    }
}
