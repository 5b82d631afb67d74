package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.assertFails;
import static orrery.tests.sdk.Cosmos.item;
import static orrery.tests.sdk.Cosmos.properties;
import static orrery.tests.sdk.Cosmos.uniqueName;

import com.azure.cosmos.ConsistencyLevel;
import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosAsyncUser;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosChangeFeedRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.CosmosPermissionProperties;
import com.azure.cosmos.models.CosmosPermissionRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.CosmosStoredProcedureProperties;
import com.azure.cosmos.models.CosmosStoredProcedureRequestOptions;
import com.azure.cosmos.models.CosmosUserProperties;
import com.azure.cosmos.models.FeedRange;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.PermissionMode;
import com.azure.cosmos.models.ThroughputProperties;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that have resource tokens and no key: tenants of one container. */
@Tag("client")
final class ResourceTokenTest {
    private static final PartitionKey A = new PartitionKey("a");
    private static final PartitionKey B = new PartitionKey("b");
    private static final String KEYS_SEEN =
            """
            function keys() {
                var container = getContext().getCollection();
                container.queryDocuments(container.getSelfLink(), 'SELECT * FROM c',
                    function (error, items) {
                        if (error) throw error;
                        getContext().getResponse().setBody(items.map(function (i) { return i.pk; }).join());
                    });
            }
            """;

    /** A server of its own, as its keys change. */
    private static RunningServer server;

    private static CosmosClient owner;
    private static CosmosAsyncClient asyncOwner;
    private static CosmosDatabase database;

    @BeforeAll
    static void start() {
        server = RunningServer.start();
        owner = Cosmos.newClient(server);
        asyncOwner = Cosmos.builder(server).buildAsyncClient();
        owner.createDatabase("db");
        database = owner.getDatabase("db");
    }

    @AfterAll
    static void stop() {
        owner.close();
        asyncOwner.close();
        server.close();
    }

    private static CosmosContainer shared(int throughput) {
        String name = uniqueName("c");
        database.createContainer(
                properties(name, "/pk"), ThroughputProperties.createManualThroughput(throughput));
        CosmosContainer container = database.getContainer(name);
        container.createItem(item("first", "a"));
        container.createItem(item("first", "b"));
        container
                .getScripts()
                .createStoredProcedure(new CosmosStoredProcedureProperties("keys", KEYS_SEEN));
        return container;
    }

    private static CosmosAsyncUser user() {
        String name = uniqueName("u");
        database.createUser(new CosmosUserProperties().setId(name));
        return asyncOwner.getDatabase("db").getUser(name);
    }

    private static CosmosPermissionProperties grant(
            CosmosAsyncUser user,
            CosmosContainer container,
            PermissionMode mode,
            @Nullable PartitionKey key) {
        CosmosPermissionProperties wanted =
                new CosmosPermissionProperties()
                        .setId(uniqueName("p"))
                        .setContainerName(container.getId())
                        .setPermissionMode(mode);
        if (key != null) {
            wanted.setResourcePartitionKey(key);
        }
        return user.createPermission(wanted, new CosmosPermissionRequestOptions())
                .block()
                .getProperties();
    }

    private static CosmosClient holder(UnaryOperator<CosmosClientBuilder> credentials) {
        return credentials
                .apply(
                        new CosmosClientBuilder()
                                .endpoint(server.endpoint())
                                .gatewayMode()
                                .consistencyLevel(ConsistencyLevel.SESSION)
                                .contentResponseOnWriteEnabled(true))
                .buildClient();
    }

    private static CosmosContainer in(CosmosClient client, CosmosContainer container) {
        return client.getDatabase("db").getContainer(container.getId());
    }

    /** All that a tenant does with its own key, and what it must not do with another. */
    private static void work(CosmosContainer mine) {
        workWithin(mine);
        assertFails(403, 0, () -> mine.readItem("first", B, ObjectNode.class));
        assertFails(403, 0, () -> mine.createItem(item(uniqueName("i"), "b"), B, null));
        assertFails(403, 0, () -> mine.deleteItem("first", B, null));
        assertFails(403, 0, () -> query(mine, "SELECT * FROM c", B).toList());
        assertFails(403, 0, () -> query(mine, "SELECT * FROM c WHERE c.pk = 'a'", null).toList());
        assertFails(403, 0, () -> mine.readAllItems(B, ObjectNode.class).stream().toList());
        assertFails(403, 0, () -> run(mine, B));
    }

    private static void workWithin(CosmosContainer mine) {
        String id = uniqueName("i");
        assertThat(mine.readItem("first", A, ObjectNode.class).getStatusCode()).isEqualTo(200);
        assertFails(404, 0, () -> mine.readItem("missing", A, ObjectNode.class));
        assertThat(mine.createItem(item(id, "a"), A, null).getStatusCode()).isEqualTo(201);
        assertThat(mine.upsertItem(item(id, "a").put("n", 1), A, null).getStatusCode())
                .isEqualTo(200);
        assertThat(
                        mine.patchItem(
                                        id,
                                        A,
                                        CosmosPatchOperations.create().increment("/n", 1),
                                        ObjectNode.class)
                                .getItem()
                                .get("n")
                                .asInt())
                .isEqualTo(2);
        CosmosBatch batch = CosmosBatch.createCosmosBatch(A);
        batch.readItemOperation(id);
        batch.deleteItemOperation(id);
        assertThat(mine.executeCosmosBatch(batch).isSuccessStatusCode()).isTrue();
        for (String query :
                List.of(
                        "SELECT * FROM c",
                        "SELECT * FROM c ORDER BY c._ts",
                        "SELECT c.pk FROM c")) {
            assertThat(keys(query(mine, query, A))).containsOnly("a");
        }
        assertThat(keys(mine.readAllItems(A, ObjectNode.class).stream())).containsOnly("a");
        Stream<JsonNode> changes =
                mine.queryChangeFeed(
                                CosmosChangeFeedRequestOptions.createForProcessingFromBeginning(
                                        FeedRange.forLogicalPartition(A)),
                                JsonNode.class)
                        .streamByPage()
                        .limit(1)
                        .map(FeedResponse::getResults)
                        .flatMap(List::stream);
        assertThat(keys(changes)).containsOnly("a");
        assertThat(run(mine, A)).contains("a").doesNotContain("b");
    }

    private static Stream<ObjectNode> query(
            CosmosContainer container, String text, @Nullable PartitionKey key) {
        CosmosQueryRequestOptions options = new CosmosQueryRequestOptions();
        if (key != null) {
            options.setPartitionKey(key);
        }
        return container.queryItems(text, options, ObjectNode.class).stream();
    }

    private static Stream<String> keys(Stream<? extends JsonNode> items) {
        return items.map(each -> each.get("pk").asText());
    }

    private static String run(CosmosContainer container, PartitionKey key) {
        return container
                .getScripts()
                .getStoredProcedure("keys")
                .execute(List.of(), new CosmosStoredProcedureRequestOptions().setPartitionKey(key))
                .getResponseAsString();
    }

    @ParameterizedTest
    @ValueSource(ints = {Cosmos.ONE, Cosmos.FIVE})
    void aTenantWorksWithinItsKeyAcrossASplit(int throughput) {
        CosmosContainer container = shared(throughput);
        CosmosPermissionProperties permission = grant(user(), container, PermissionMode.ALL, A);
        try (CosmosClient tenant = holder(with -> with.resourceToken(permission.getToken()));
                Operator operator = new Operator(server, "db", container.getId())) {
            work(in(tenant, container));
            for (JsonNode partition : operator.partitions()) {
                assertThat(operator.split(partition.get("id").asInt())).isTrue();
            }
            work(in(tenant, container));
        }
        assertThat(container.readItem("first", B, ObjectNode.class).getStatusCode()).isEqualTo(200);
    }

    @Test
    void aResolverMayChooseATokenForEachRequest() {
        CosmosContainer container = shared(Cosmos.ONE);
        CosmosPermissionProperties permission = grant(user(), container, PermissionMode.ALL, A);
        try (CosmosClient tenant =
                holder(
                        with ->
                                with.authorizationTokenResolver(
                                        (_, _, _, _) -> permission.getToken()))) {
            work(in(tenant, container));
        }
    }

    /**
     * The SDK looks for a token by the link of each request. It names items by names, and the
     * ranges of their container by rid, so that its list needs a permission in each form.
     */
    @Test
    void aListOfPermissionsHasTheContainerByNameAndByRid() {
        CosmosContainer container = shared(Cosmos.ONE);
        CosmosAsyncUser user = user();
        CosmosPermissionProperties byName = grant(user, container, PermissionMode.ALL, A);
        CosmosPermissionProperties byRid = grantByRid(user, container);
        try (CosmosClient tenant = holder(with -> with.permissions(List.of(byName, byRid)))) {
            CosmosContainer mine = in(tenant, container);
            workWithin(mine);
            // The SDK itself has no token for this key.
            assertFails(401, 0, () -> mine.readItem("first", B, ObjectNode.class));
            assertFails(403, 0, () -> query(mine, "SELECT * FROM c", null).toList());
        }
    }

    /** The classes of the SDK write links by names only. */
    private static CosmosPermissionProperties grantByRid(
            CosmosAsyncUser user, CosmosContainer container) {
        String users = "dbs/db/users/" + user.getId();
        String name = uniqueName("p");
        try (Rest rest = Rest.of(server)) {
            HttpResponse<String> created =
                    rest.post(
                            new Rest.Target(users + "/permissions", "permissions", users),
                            Map.of(),
                            """
                            {"id":"%s","permissionMode":"All","resourcePartitionKey":["a"],
                             "resource":"dbs/%s/colls/%s/"}"""
                                    .formatted(
                                            name,
                                            database.read().getProperties().getResourceId(),
                                            container.read().getProperties().getResourceId()));
            assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
        }
        return user.getPermission(name)
                .read(new CosmosPermissionRequestOptions())
                .block()
                .getProperties();
    }

    @Test
    void aTokenForReadingReads() {
        CosmosContainer container = shared(Cosmos.FIVE);
        CosmosPermissionProperties permission = grant(user(), container, PermissionMode.READ, null);
        try (CosmosClient reader = holder(with -> with.resourceToken(permission.getToken()))) {
            CosmosContainer seen = in(reader, container);
            assertThat(seen.read().getProperties().getId()).isEqualTo(container.getId());
            assertThat(keys(query(seen, "SELECT * FROM c", null)))
                    .containsExactlyInAnyOrder("a", "b");
            assertFails(403, 0, () -> seen.createItem(item("x", "a"), A, null));
            assertFails(403, 0, () -> run(seen, A));
            assertFails(403, 0, seen::delete);
            assertFails(403, 0, seen::readThroughput);
        }
    }

    @Test
    void aTokenEndsWithItsPermissionAndNotWithKeysOrARestart() {
        CosmosContainer container = shared(Cosmos.ONE);
        CosmosAsyncUser user = user();
        CosmosPermissionProperties permission = grant(user, container, PermissionMode.ALL, A);
        try (CosmosClient tenant = holder(with -> with.resourceToken(permission.getToken()));
                Rest rest = Rest.of(server)) {
            CosmosContainer mine = in(tenant, container);
            work(mine);
            HttpResponse<String> replaced =
                    rest.post(
                            new Rest.Target("_orrery/keys", "keys", ""),
                            Map.of(),
                            "{\"replace\":[\"secondary\",\"primary-readonly\"]}");
            assertThat(replaced.statusCode()).as(replaced.body()).isEqualTo(200);
            work(mine);
            server.stop();
            server.restart();
            work(mine);
            user.getPermission(permission.getId())
                    .delete(new CosmosPermissionRequestOptions())
                    .block();
            assertFails(403, 0, () -> mine.readItem("first", A, ObjectNode.class));
        }
    }
}
