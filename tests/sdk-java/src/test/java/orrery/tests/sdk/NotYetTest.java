package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static orrery.tests.sdk.Cosmos.assertFails;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.uniqueName;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosStoredProcedureProperties;
import com.azure.cosmos.models.CosmosTriggerProperties;
import com.azure.cosmos.models.CosmosUserDefinedFunctionProperties;
import com.azure.cosmos.models.CosmosUserProperties;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What later issues bring is refused with its name; nothing is accepted and ignored. */
final class NotYetTest {
    private final CosmosContainer container;
    private final String key = uniqueName("key");
    private final PartitionKey partitionKey = new PartitionKey(key);

    NotYetTest(int throughput) {
        this.container = Cosmos.container(throughput, "/pk");
    }

    @OnOneAndFivePartitions
    void scripts() {
        assertNotYet(
                () ->
                        container
                                .getScripts()
                                .createStoredProcedure(
                                        new CosmosStoredProcedureProperties("s", "function(){}")));
        assertNotYet(
                () ->
                        container
                                .getScripts()
                                .createTrigger(new CosmosTriggerProperties("t", "function(){}")));
        assertNotYet(
                () ->
                        container
                                .getScripts()
                                .createUserDefinedFunction(
                                        new CosmosUserDefinedFunctionProperties(
                                                "u", "function(){}")));
    }

    @OnOneAndFivePartitions
    void triggersOnWrites() {
        CosmosItemRequestOptions options = new CosmosItemRequestOptions();
        options.setPreTriggerInclude(List.of("stamp"));
        assertThatThrownBy(() -> container.createItem(item("1", key), partitionKey, options))
                .isInstanceOfSatisfying(
                        CosmosException.class,
                        failure -> assertThat(failure.getStatusCode()).isIn(400, 501));
        assertNothingWritten();
    }

    @OnOneAndFivePartitions
    void users() {
        assertNotYet(() -> Cosmos.database().createUser(new CosmosUserProperties().setId("u")));
    }

    private void assertNothingWritten() {
        assertThat(container.readAllItems(partitionKey, ObjectNode.class)).isEmpty();
    }

    private static void assertNotYet(ThrowingCallable call) {
        assertFails(501, 0, call);
    }
}
