package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.cosmos.ConsistencyLevel;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.ThrottlingRetryOptions;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.PartitionKeyDefinition;
import com.azure.cosmos.models.PartitionKeyDefinitionVersion;
import com.azure.cosmos.models.PartitionKind;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/**
 * One server with two clients for all conformance classes of a run, and what tests of items need.
 * Tests share containers and keep apart by the names that they use.
 */
final class Cosmos {
    /** One physical partition. */
    static final int ONE = 400;

    /** Five physical partitions. */
    static final int FIVE = 50_000;

    static final ObjectMapper JSON = new ObjectMapper();

    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final Map<String, CosmosContainer> CONTAINERS = new ConcurrentHashMap<>();

    private Cosmos() {}

    /** Made when a test first asks. */
    private static final class Shared {
        static final RunningServer SERVER = RunningServer.start();
        static final CosmosClient CLIENT = newClient(SERVER);
        static final CosmosClient ECHOING =
                builder(SERVER).contentResponseOnWriteEnabled(true).buildClient();
        static final CosmosDatabase DATABASE = database();

        private static CosmosDatabase database() {
            CLIENT.createDatabase("shared");
            return CLIENT.getDatabase("shared");
        }
    }

    static RunningServer server() {
        return Shared.SERVER;
    }

    /** The client with the SDK's defaults: a write is answered without the item. */
    static CosmosClient client() {
        return Shared.CLIENT;
    }

    /** Asks for the item in the answer to a write. */
    static CosmosClient echoingClient() {
        return Shared.ECHOING;
    }

    static CosmosDatabase database() {
        return Shared.DATABASE;
    }

    /** Clients wait as often as they are told to: how busy a small partition is proves nothing. */
    static CosmosClientBuilder builder(RunningServer server) {
        return new CosmosClientBuilder()
                .endpoint(server.endpoint())
                .key(server.key())
                .gatewayMode()
                .consistencyLevel(ConsistencyLevel.SESSION)
                .throttlingRetryOptions(
                        new ThrottlingRetryOptions()
                                .setMaxRetryAttemptsOnThrottledRequests(1000)
                                .setMaxRetryWaitTime(Duration.ofMinutes(5)));
    }

    static CosmosClient newClient(RunningServer server) {
        return builder(server).buildClient();
    }

    /** A container that tests share, seen through the client that asks for items in answers. */
    static CosmosContainer container(int throughput, String... paths) {
        return CONTAINERS.computeIfAbsent(
                throughput + String.join(",", paths),
                _ -> {
                    String id = uniqueName("shared");
                    database()
                            .createContainer(
                                    properties(id, paths),
                                    ThroughputProperties.createManualThroughput(throughput));
                    return echoingClient().getDatabase("shared").getContainer(id);
                });
    }

    /** Makes a hash V2 key of one path, and a hierarchical key of several. */
    static CosmosContainerProperties properties(String id, String... paths) {
        PartitionKeyDefinition key = new PartitionKeyDefinition();
        key.setPaths(List.of(paths));
        key.setKind(paths.length == 1 ? PartitionKind.HASH : PartitionKind.MULTI_HASH);
        key.setVersion(PartitionKeyDefinitionVersion.V2);
        return new CosmosContainerProperties(id, key);
    }

    static String uniqueName(String prefix) {
        return prefix + "-" + NAMES.incrementAndGet();
    }

    static ObjectNode item(String id, String partitionKey) {
        return JSON.createObjectNode().put("id", id).put("pk", partitionKey);
    }

    static ObjectNode json(String text) {
        try {
            return (ObjectNode) JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    /** Leaves out the properties that the server adds. */
    static ObjectNode own(ObjectNode item) {
        ObjectNode copy = item.deepCopy();
        copy.remove(List.of("_rid", "_self", "_etag", "_ts", "_attachments"));
        return copy;
    }

    /** The exception of a call that has to fail with this status. */
    static CosmosException assertFails(int status, int substatus, ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        assertThat(thrown)
                .as("expected %s/%s", status, substatus)
                .isInstanceOf(CosmosException.class);
        CosmosException failure = (CosmosException) thrown;
        assertThat(failure.getStatusCode() + "/" + failure.getSubStatusCode())
                .as(failure.getShortMessage())
                .isEqualTo(status + "/" + substatus);
        return failure;
    }
}
