package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.cosmos.ConsistencyLevel;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The SDK reads the account's level, and weakens it for a request. */
class DefaultConsistencyTest {
    private static double charge(CosmosContainer container, ConsistencyLevel level) {
        return container
                .readItem(
                        "1",
                        new PartitionKey("1"),
                        new CosmosItemRequestOptions().setConsistencyLevel(level),
                        Map.class)
                .getRequestCharge();
    }

    @Test
    void anAccountGivesItsLevelAndLetsRequestsWeakenIt() {
        try (RunningServer server = RunningServer.start("--default-consistency", "Strong");
                CosmosClient client =
                        Cosmos.builder(server)
                                .consistencyLevel(ConsistencyLevel.STRONG)
                                .buildClient()) {
            client.createDatabase("d");
            client.getDatabase("d").createContainer("c", "/id");
            CosmosContainer container = client.getDatabase("d").getContainer("c");
            container.createItem(Map.of("id", "1"));
            double strong = charge(container, ConsistencyLevel.STRONG);
            assertThat(strong).isEqualTo(2 * charge(container, ConsistencyLevel.EVENTUAL));

            Distribution.Output set =
                    Distribution.run(
                            "account",
                            "set",
                            "--default-consistency",
                            "Session",
                            "--data",
                            server.data().toString());
            assertThat(set.exitCode()).as(set.all()).isZero();
            assertThat(
                            catchThrowableOfType(
                                            CosmosException.class,
                                            () -> charge(container, ConsistencyLevel.STRONG))
                                    .getStatusCode())
                    .isEqualTo(400);
        }
    }
}
