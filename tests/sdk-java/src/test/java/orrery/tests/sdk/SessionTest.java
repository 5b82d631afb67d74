package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.assertFails;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.uniqueName;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosItemResponse;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

/** Session tokens, within one client and handed from one to another. */
@Tag("client")
final class SessionTest {
    private final int partitions;
    private final CosmosContainer container;

    SessionTest(int throughput) {
        this.partitions = throughput == Cosmos.FIVE ? 5 : 1;
        this.container = Cosmos.container(throughput, "/pk");
    }

    @OnOneAndFivePartitions
    void tokensGrowWithWritesToTheirRange() {
        String key = uniqueName("key");
        String first = container.createItem(item("1", key)).getSessionToken();
        String second = container.upsertItem(item("1", key)).getSessionToken();
        String read = read(container, key, null).getSessionToken();

        assertThat(range(second)).isEqualTo(range(first));
        assertThat(lsn(second)).isGreaterThan(lsn(first));
        assertThat(lsn(read)).isGreaterThanOrEqualTo(lsn(second));
    }

    @OnOneAndFivePartitions
    void tokensNameTheRangeThatServed() {
        Set<String> ranges = new HashSet<>();
        for (int i = 0; i < 40; i++) {
            // Always the same keys, of which every range has some.
            ranges.add(range(container.upsertItem(item("1", "spread-" + i)).getSessionToken()));
        }

        assertThat(ranges).hasSize(partitions);
    }

    @OnOneAndFivePartitions
    void anotherClientReadsWhatTheTokenPromises() {
        try (CosmosClient other = Cosmos.newClient(Cosmos.server())) {
            CosmosContainer theirs =
                    other.getDatabase(Cosmos.database().getId()).getContainer(container.getId());
            for (int i = 0; i < 20; i++) {
                String key = uniqueName("key");
                String token = container.createItem(item("1", key).put("v", i)).getSessionToken();
                assertThat(read(theirs, key, token).getItem().get("v").asInt()).isEqualTo(i);
            }
        }
    }

    @OnOneAndFivePartitions
    void tokenFromTheFutureIsNotAvailable() {
        String key = uniqueName("key");
        String token = container.createItem(item("1", key)).getSessionToken();
        String future = range(token) + ":-1#" + (lsn(token) + 1_000_000);

        assertFails(404, 1002, () -> read(container, key, future));
    }

    @OnOneAndFivePartitions
    void failuresCarryTokensToo() {
        String key = uniqueName("key");
        String token = container.createItem(item("1", key)).getSessionToken();

        String conflict =
                assertFails(409, 0, () -> container.createItem(item("1", key)))
                        .getResponseHeaders()
                        .getOrDefault("x-ms-session-token", "");
        assertThat(range(conflict)).isEqualTo(range(token));
        assertThat(lsn(conflict)).isGreaterThanOrEqualTo(lsn(token));
    }

    private static CosmosItemResponse<ObjectNode> read(
            CosmosContainer container, String key, @Nullable String token) {
        CosmosItemRequestOptions options = new CosmosItemRequestOptions();
        if (token != null) {
            options.setSessionToken(token);
        }
        return container.readItem("1", new PartitionKey(key), options, ObjectNode.class);
    }

    private static String range(String token) {
        return token.substring(0, token.indexOf(':'));
    }

    private static long lsn(String token) {
        return Long.parseLong(token.substring(token.indexOf('#') + 1));
    }
}
