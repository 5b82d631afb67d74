package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.assertFails;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.properties;
import static orrery.tests.sdk.Cosmos.uniqueName;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.ThrottlingRetryOptions;
import com.azure.cosmos.ThroughputControlGroupConfigBuilder;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Throughput buckets, which the SDK calls groups that the server controls. */
@Tag("client")
final class ThroughputBucketTest {
    /** A write costs about 500 RU: minutes of what a bucket of 1 % has. */
    private static final String FILL = "f".repeat(500_000);

    private static final PartitionKey KEY = new PartitionKey("k");

    @Test
    void aGroupOfRequestsIsHeldToItsBucket() {
        String id = uniqueName("buckets");
        Cosmos.database()
                .createContainer(
                        properties(id, "/pk"), ThroughputProperties.createManualThroughput(400));
        set(id, "--to", "1=1", "--to", "2=100");
        try (CosmosClient impatient =
                Cosmos.builder(Cosmos.server())
                        .throttlingRetryOptions(
                                new ThrottlingRetryOptions()
                                        .setMaxRetryAttemptsOnThrottledRequests(0))
                        .buildClient()) {
            CosmosContainer container =
                    impatient.getDatabase(Cosmos.database().getId()).getContainer(id);
            for (int bucket : new int[] {1, 2}) {
                container.enableServerThroughputControlGroup(
                        new ThroughputControlGroupConfigBuilder()
                                .groupName("group" + bucket)
                                .throughputBucket(bucket)
                                .build());
            }

            container.createItem(item("1", "k").put("fill", FILL), KEY, in(1));

            CosmosException refusal =
                    assertFails(
                            429, 3212, () -> container.readItem("1", KEY, in(1), ObjectNode.class));
            assertThat(refusal.getRetryAfterDuration()).isPositive();
            assertFails(
                    429,
                    3212,
                    () ->
                            container
                                    .queryItems(
                                            "SELECT * FROM c",
                                            new CosmosQueryRequestOptions()
                                                    .setPartitionKey(KEY)
                                                    .setThroughputControlGroupName("group1"),
                                            ObjectNode.class)
                                    .stream()
                                    .toList());
        }
        // A client that waits gets what the others leave, after a quarter of a second.
        CosmosContainer patient = Cosmos.database().getContainer(id);
        assertThat(patient.readItem("1", KEY, ObjectNode.class).getStatusCode()).isEqualTo(200);
        set(id, "--to", "1=100");
        assertThat(patient.readItem("1", KEY, ObjectNode.class).getStatusCode()).isEqualTo(200);
    }

    private static CosmosItemRequestOptions in(int bucket) {
        CosmosItemRequestOptions options = new CosmosItemRequestOptions();
        options.setThroughputControlGroupName("group" + bucket);
        return options;
    }

    private static void set(String container, String... buckets) {
        String[] command = new String[buckets.length + 6];
        System.arraycopy(
                new String[] {"throughput", "buckets", "set", "shared/" + container},
                0,
                command,
                0,
                4);
        System.arraycopy(buckets, 0, command, 4, buckets.length);
        command[command.length - 2] = "--endpoint";
        command[command.length - 1] = "http://localhost:" + Cosmos.server().port();
        Distribution.Output output = Distribution.run(command);
        assertThat(output.exitCode()).as(output.all()).isZero();
    }
}
