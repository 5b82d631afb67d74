package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.assertFails;
import static orrery.tests.sdk.Cosmos.uniqueName;

import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosAsyncDatabase;
import com.azure.cosmos.CosmosAsyncUser;
import com.azure.cosmos.models.ClientEncryptionIncludedPath;
import com.azure.cosmos.models.ClientEncryptionPolicy;
import com.azure.cosmos.models.ContainerChildResourceType;
import com.azure.cosmos.models.CosmosClientEncryptionKeyProperties;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosPermissionProperties;
import com.azure.cosmos.models.CosmosPermissionRequestOptions;
import com.azure.cosmos.models.CosmosUserProperties;
import com.azure.cosmos.models.EncryptionKeyWrapMetadata;
import com.azure.cosmos.models.FeedResponse;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.PermissionMode;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.azure.cosmos.util.CosmosPagedFlux;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Users, permissions and client encryption keys as resources. */
@Tag("client")
final class AccessTest {
    private static final String ALGORITHM = "AEAD_AES_256_CBC_HMAC_SHA256";

    private static CosmosAsyncClient client;
    private static CosmosAsyncDatabase database;

    @BeforeAll
    static void connect() {
        client = Cosmos.builder(Cosmos.server()).buildAsyncClient();
        String id = uniqueName("access");
        client.createDatabase(id).block();
        database = client.getDatabase(id);
    }

    @AfterAll
    static void close() {
        database.delete().block();
        client.close();
    }

    @Test
    void usersAreResources() {
        String id = uniqueName("u");
        var created = database.createUser(new CosmosUserProperties().setId(id)).block();
        assertThat(created.getStatusCode()).isEqualTo(201);
        assertThat(created.getProperties().getETag()).isNotEmpty();
        CosmosAsyncUser user = database.getUser(id);
        assertThat(user.read().block().getProperties().getId()).isEqualTo(id);
        assertFails(
                409, 0, () -> database.createUser(new CosmosUserProperties().setId(id)).block());
        assertThat(
                        database.upsertUser(new CosmosUserProperties().setId(id))
                                .block()
                                .getStatusCode())
                .isEqualTo(200);

        String renamed = uniqueName("renamed");
        CosmosUserProperties properties = user.read().block().getProperties();
        properties.setId(renamed);
        assertThat(user.replace(properties).block().getProperties().getId()).isEqualTo(renamed);
        assertFails(404, 0, () -> user.read().block());
        assertThat(database.getUser(renamed).delete().block().getProperties()).isNull();
        assertFails(404, 0, () -> database.getUser(renamed).read().block());
    }

    @Test
    void usersAreListedAndFound() {
        List<String> ids = List.of(uniqueName("l"), uniqueName("l"), uniqueName("l"));
        ids.forEach(id -> database.createUser(new CosmosUserProperties().setId(id)).block());

        assertThat(database.readAllUsers().toIterable())
                .extracting(CosmosUserProperties::getId)
                .containsAll(ids);
        SqlQuerySpec query =
                new SqlQuerySpec(
                        "SELECT * FROM root r WHERE r.id = @id",
                        new SqlParameter("@id", ids.get(1)));
        assertThat(database.queryUsers(query).toIterable())
                .extracting(CosmosUserProperties::getId)
                .containsExactly(ids.get(1));
        assertFails(
                400, 0, () -> database.queryUsers("I am an invalid query").byPage().blockFirst());
    }

    @Test
    void permissionsAreResources() {
        CosmosAsyncUser user = user();
        CosmosPermissionProperties wanted =
                permission("p", "myContainer")
                        .setResourcePath(ContainerChildResourceType.ITEM, "doc1")
                        .setResourcePartitionKey(new PartitionKey("tenant"));

        var created = user.createPermission(wanted, null).block();

        assertThat(created.getStatusCode()).isEqualTo(201);
        CosmosPermissionProperties properties = created.getProperties();
        assertThat(properties.getId()).isEqualTo("p");
        assertThat(properties.getPermissionMode()).isEqualTo(PermissionMode.READ);
        assertThat(properties.getContainerName()).isEqualTo("myContainer");
        assertThat(properties.getResourceKind()).isEqualTo(ContainerChildResourceType.ITEM);
        assertThat(properties.getResourceName()).isEqualTo("doc1");
        assertThat(properties.getResourcePartitionKey()).isEqualTo(new PartitionKey("tenant"));
        assertThat(properties.getETag()).isNotEmpty();
        assertThat(properties.getToken()).startsWith("type=resource&ver=1.0&sig=");
        properties.setPermissionMode(PermissionMode.ALL);
        var replaced = user.getPermission("p").replace(properties, null).block();
        assertThat(replaced.getProperties().getPermissionMode()).isEqualTo(PermissionMode.ALL);
        var read = user.getPermission("p").read(null).block().getProperties();
        assertThat(read.getETag()).isEqualTo(replaced.getProperties().getETag());
        CosmosPermissionRequestOptions overtaken =
                new CosmosPermissionRequestOptions().setIfMatchETag(properties.getETag());
        assertFails(412, 0, () -> user.getPermission("p").replace(read, overtaken).block());
        assertThat(user.getPermission("p").delete(null).block().getProperties()).isNull();
        assertFails(404, 0, () -> user.getPermission("p").read(null).block());
    }

    @Test
    void permissionsAreUpsertedAndOneForEachResource() {
        CosmosAsyncUser user = user();

        var created = user.upsertPermission(permission("p", "c"), null).block();
        var replaced =
                user.upsertPermission(
                                permission("p", "c").setPermissionMode(PermissionMode.ALL), null)
                        .block();

        assertThat(created.getStatusCode()).isEqualTo(201);
        assertThat(replaced.getStatusCode()).isEqualTo(200);
        assertThat(replaced.getProperties().getPermissionMode()).isEqualTo(PermissionMode.ALL);
        assertFails(409, 0, () -> user.createPermission(permission("q", "c"), null).block());
    }

    @Test
    void permissionsComeInPages() {
        CosmosAsyncUser user = user();
        List<String> ids = List.of("a", "b", "c", "d", "e");
        ids.forEach(id -> user.createPermission(permission(id, "c" + id + "="), null).block());

        assertThat(pages(user.queryPermissions("SELECT * from root"), 3))
                .containsExactly(List.of("a", "b", "c"), List.of("d", "e"));
        assertThat(pages(user.queryPermissions("SELECT * from c where c.id = 'b'"), 5))
                .containsExactly(List.of("b"));
        assertThat(pages(user.queryPermissions("SELECT * from root r where r.id = '2'"), 5))
                .containsExactly(List.of());
        assertThat(pages(user.readAllPermissions(), 2))
                .containsExactly(List.of("a", "b"), List.of("c", "d"), List.of("e"));
        assertFails(
                400, 0, () -> user.queryPermissions("I am an invalid query").byPage().blockFirst());
    }

    @Test
    void clientEncryptionKeysAreResources() {
        String id = uniqueName("k");
        EncryptionKeyWrapMetadata metadata =
                new EncryptionKeyWrapMetadata("custom", "key1", "place");
        var created = database.createClientEncryptionKey(key(id, metadata, 1)).block();

        assertThat(created.getProperties().getEncryptionKeyWrapMetadata()).isEqualTo(metadata);
        assertThat(created.getProperties().getWrappedDataEncryptionKey())
                .isEqualTo(new byte[] {1, 2, 3});
        var read = database.getClientEncryptionKey(id).read().block().getProperties();
        assertThat(read.getEncryptionAlgorithm()).isEqualTo(ALGORITHM);
        assertThat(read.getETag()).isNotEmpty();
        assertFails(409, 0, () -> database.createClientEncryptionKey(key(id, metadata, 2)).block());
        EncryptionKeyWrapMetadata other =
                new EncryptionKeyWrapMetadata("custom", "key2", "place", "RSA-OAEP");
        var rewrapped = database.getClientEncryptionKey(id).replace(key(id, other, 4)).block();
        assertThat(rewrapped.getProperties().getEncryptionKeyWrapMetadata()).isEqualTo(other);
        assertThat(rewrapped.getProperties().getWrappedDataEncryptionKey())
                .isEqualTo(new byte[] {4, 2, 3});
        assertThat(database.readAllClientEncryptionKeys().toIterable())
                .extracting(CosmosClientEncryptionKeyProperties::getId)
                .contains(id);
    }

    @Test
    void policiesOfEncryptionStay() {
        String key = uniqueName("k");
        database.createClientEncryptionKey(
                        key(key, new EncryptionKeyWrapMetadata("custom", "key1", "place"), 1))
                .block();
        ClientEncryptionIncludedPath path = new ClientEncryptionIncludedPath();
        path.setPath("/ssn");
        path.setClientEncryptionKeyId(key);
        path.setEncryptionType("Randomized");
        path.setEncryptionAlgorithm(ALGORITHM);
        String id = uniqueName("c");
        CosmosContainerProperties wanted =
                Cosmos.properties(id, "/pk")
                        .setClientEncryptionPolicy(new ClientEncryptionPolicy(List.of(path)));

        database.createContainer(wanted).block();

        CosmosContainerProperties read = database.getContainer(id).read().block().getProperties();
        assertThat(read.getClientEncryptionPolicy().getPolicyFormatVersion()).isEqualTo(1);
        assertThat(read.getClientEncryptionPolicy().getIncludedPaths())
                .singleElement()
                .satisfies(
                        included -> {
                            assertThat(included.getPath()).isEqualTo("/ssn");
                            assertThat(included.getClientEncryptionKeyId()).isEqualTo(key);
                            assertThat(included.getEncryptionType()).isEqualTo("Randomized");
                            assertThat(included.getEncryptionAlgorithm()).isEqualTo(ALGORITHM);
                        });
        database.getContainer(id).replace(read).block();
        path.setClientEncryptionKeyId("unknownKey");
        assertFails(
                400,
                0,
                () ->
                        database.createContainer(
                                        Cosmos.properties(uniqueName("c"), "/pk")
                                                .setClientEncryptionPolicy(
                                                        new ClientEncryptionPolicy(List.of(path))))
                                .block());
    }

    private static CosmosAsyncUser user() {
        String id = uniqueName("u");
        database.createUser(new CosmosUserProperties().setId(id)).block();
        return database.getUser(id);
    }

    private static CosmosPermissionProperties permission(String id, String container) {
        return new CosmosPermissionProperties()
                .setId(id)
                .setPermissionMode(PermissionMode.READ)
                .setContainerName(container);
    }

    private static CosmosClientEncryptionKeyProperties key(
            String id, EncryptionKeyWrapMetadata metadata, int first) {
        return new CosmosClientEncryptionKeyProperties(
                id, ALGORITHM, new byte[] {(byte) first, 2, 3}, metadata);
    }

    private static List<List<String>> pages(
            CosmosPagedFlux<CosmosPermissionProperties> feed, int size) {
        return feed.byPage(size).toStream().map(AccessTest::ids).toList();
    }

    private static List<String> ids(FeedResponse<CosmosPermissionProperties> page) {
        return page.getResults().stream().map(CosmosPermissionProperties::getId).toList();
    }
}
