package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static orrery.tests.sdk.Cosmos.assertFails;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.properties;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosItemResponse;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Account keys of one's own, and listening beyond loopback. */
@Tag("client")
final class KeysTest {
    private static final Pattern KEY_LINE = Pattern.compile("(.+?) {2,}(\\S+==)");

    private static Map<String, String> keys;
    private static RunningServer server;

    @BeforeAll
    static void start() {
        Path data = RunningServer.temporaryDirectory();
        keys = parse(Distribution.run("keys", "new", "--data", data.toString()));
        server = RunningServer.startIn(data, "--host", "0.0.0.0");
        try (CosmosClient client = client("primary")) {
            client.createDatabase("db");
            client.getDatabase("db").createContainer(properties("c", "/pk"));
            client.getDatabase("db").getContainer("c").createItem(item("1", "k"));
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void listeningBeyondLoopbackNeedsKeys() {
        Path data = RunningServer.temporaryDirectory();

        Distribution.Output refused =
                Distribution.run(
                        "start",
                        "--data",
                        data.toString(),
                        "--host",
                        "0.0.0.0",
                        "--port",
                        "0",
                        "--status-port",
                        "0");

        assertThat(refused.exitCode()).isNotEqualTo(0);
        assertThat(refused.err()).contains("keys new").doesNotContain("\tat ");
    }

    @Test
    void thereAreFourKeysAndTheyStay() {
        assertThat(keys)
                .containsOnlyKeys(
                        "primary", "secondary", "primary read-only", "secondary read-only");
        assertThat(keys.values()).doesNotHaveDuplicates();
        assertThat(parse(Distribution.run("keys", "show", "--data", server.data().toString())))
                .isEqualTo(keys);
    }

    @Test
    void readyLineDoesNotShowThem() {
        assertThat(server.readyLine()).contains("orrery keys show");
        keys.values().forEach(key -> assertThat(server.output()).doesNotContain(key));
    }

    @Test
    void bothMainKeysWrite() {
        for (String name : new String[] {"primary", "secondary"}) {
            try (CosmosClient client = client(name)) {
                assertThat(container(client).upsertItem(item(name, "k")).getStatusCode())
                        .isIn(200, 201);
            }
        }
    }

    @Test
    void readOnlyKeysReadButDoNotWrite() {
        for (String name : new String[] {"primary read-only", "secondary read-only"}) {
            try (CosmosClient client = client(name)) {
                CosmosContainer container = container(client);
                assertThat(read(container).getStatusCode()).isEqualTo(200);
                assertThat(client.readAllDatabases()).isNotEmpty();
                assertThat(container.readAllItems(new PartitionKey("k"), ObjectNode.class))
                        .isNotEmpty();
                assertThat(container.readThroughput().getProperties().getManualThroughput())
                        .isEqualTo(400);

                assertFails(403, 0, () -> container.createItem(item("no", "k")));
                assertFails(403, 0, () -> container.upsertItem(item("1", "k")));
                assertFails(403, 0, () -> container.deleteItem("1", new PartitionKey("k"), null));
                assertFails(
                        403,
                        0,
                        () ->
                                container.patchItem(
                                        "1",
                                        new PartitionKey("k"),
                                        CosmosPatchOperations.create().set("/v", 1),
                                        ObjectNode.class));
                assertFails(403, 0, () -> client.createDatabase("no"));
                assertFails(403, 0, () -> client.getDatabase("db").delete());
            }
        }
    }

    @Test
    void wrongKeyIsUnauthorized() {
        String wrong = "A" + keys.getOrDefault("primary", "").substring(1);

        assertUnauthorized(server, wrong);
        assertUnauthorized(Cosmos.server(), wrong);
    }

    @Test
    void wellKnownKeyIsOffWhereThereAreKeys() {
        assertUnauthorized(server, Cosmos.server().key());
    }

    private static void assertUnauthorized(RunningServer target, String key) {
        String endpoint = "https://localhost:" + target.port() + "/";
        assertThat(AccountDocument.get(endpoint, key).statusCode()).isEqualTo(401);
        Throwable thrown =
                catchThrowable(
                        () -> {
                            try (CosmosClient client =
                                    Cosmos.builder(target)
                                            .endpoint(endpoint)
                                            .key(key)
                                            .buildClient()) {
                                client.createDatabase("unauthorized");
                            }
                        });
        Throwable cause = thrown;
        while (cause != null && !(cause instanceof CosmosException)) {
            cause = cause.getCause();
        }
        assertThat(cause)
                .as("what the SDK threw: %s", thrown)
                .isInstanceOfSatisfying(
                        CosmosException.class,
                        failure -> assertThat(failure.getStatusCode()).isEqualTo(401));
    }

    private static Map<String, String> parse(Distribution.Output output) {
        assertThat(output.exitCode()).as(output.all()).isEqualTo(0);
        return output.out()
                .lines()
                .map(KEY_LINE::matcher)
                .filter(Matcher::matches)
                .collect(Collectors.toMap(match -> match.group(1), match -> match.group(2)));
    }

    private static CosmosClient client(String keyName) {
        return Cosmos.builder(server)
                .endpoint("https://localhost:" + server.port() + "/")
                .key(keys.getOrDefault(keyName, ""))
                .buildClient();
    }

    private static CosmosContainer container(CosmosClient client) {
        return client.getDatabase("db").getContainer("c");
    }

    private static CosmosItemResponse<ObjectNode> read(CosmosContainer container) {
        return container.readItem("1", new PartitionKey("k"), ObjectNode.class);
    }
}
