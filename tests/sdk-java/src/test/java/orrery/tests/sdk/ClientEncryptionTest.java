package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Cosmos.assertFails;
import static orrery.tests.sdk.Cosmos.uniqueName;

import com.azure.core.cryptography.KeyEncryptionKey;
import com.azure.core.cryptography.KeyEncryptionKeyResolver;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.encryption.CosmosEncryptionClient;
import com.azure.cosmos.encryption.CosmosEncryptionClientBuilder;
import com.azure.cosmos.encryption.CosmosEncryptionContainer;
import com.azure.cosmos.encryption.CosmosEncryptionDatabase;
import com.azure.cosmos.encryption.models.SqlQuerySpecWithEncryption;
import com.azure.cosmos.models.ClientEncryptionIncludedPath;
import com.azure.cosmos.models.ClientEncryptionPolicy;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosPatchItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.EncryptionKeyWrapMetadata;
import com.azure.cosmos.models.PartitionKey;
import com.azure.cosmos.models.SqlParameter;
import com.azure.cosmos.models.SqlQuerySpec;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Client-side encryption of the SDK, with a key store of the test's own. */
@Tag("client")
final class ClientEncryptionTest {
    private static final String STORE = "TEST_KEY_STORE";
    private static final String ALGORITHM = "AEAD_AES_256_CBC_HMAC_SHA256";

    private static CosmosEncryptionClient client;
    private static CosmosDatabase plain;
    private static CosmosEncryptionDatabase database;

    /** Wraps keys by turning over every bit: no protection, and all that a test needs. */
    private record Wrapping(String keyId) implements KeyEncryptionKey {
        @Override
        public String getKeyId() {
            return keyId;
        }

        @Override
        public byte[] wrapKey(String algorithm, byte[] key) {
            byte[] turned = new byte[key.length];
            for (int i = 0; i < key.length; i++) {
                turned[i] = (byte) ~key[i];
            }
            return turned;
        }

        @Override
        public byte[] unwrapKey(String algorithm, byte[] wrapped) {
            return wrapKey(algorithm, wrapped);
        }
    }

    @BeforeAll
    static void connect() {
        KeyEncryptionKeyResolver store = Wrapping::new;
        client =
                new CosmosEncryptionClientBuilder()
                        .cosmosClient(
                                Cosmos.builder(Cosmos.server())
                                        .contentResponseOnWriteEnabled(true)
                                        .buildClient())
                        .keyEncryptionKeyResolver(store)
                        .keyEncryptionKeyResolverName(STORE)
                        .buildClient();
        String id = uniqueName("encrypted");
        client.getCosmosClient().createDatabase(id);
        database = client.getCosmosEncryptionDatabase(id);
        plain = Cosmos.client().getDatabase(id);
        database.createClientEncryptionKey("key1", ALGORITHM, metadata("key1"));
        database.createClientEncryptionKey("key2", ALGORITHM, metadata("key2"));
    }

    @AfterAll
    static void close() {
        plain.delete();
        client.close();
    }

    @Test
    void keysAreMadeAndWrappedAnew() {
        String id = uniqueName("k");
        var created = database.createClientEncryptionKey(id, ALGORITHM, metadata("key1"));
        assertThat(created.getProperties().getEncryptionKeyWrapMetadata())
                .isEqualTo(metadata("key1"));

        var rewrapped = database.rewrapClientEncryptionKey(id, metadata("key3"));

        assertThat(rewrapped.getProperties().getEncryptionKeyWrapMetadata())
                .isEqualTo(metadata("key3"));
        assertFails(
                409, 0, () -> database.createClientEncryptionKey(id, ALGORITHM, metadata("key1")));
    }

    @Test
    void itemsAreEncryptedOnTheirWay() {
        CosmosContainer seen = container();
        CosmosEncryptionContainer container = database.getCosmosEncryptionContainer(seen.getId());
        ObjectNode item = item("tenant", "Ada");
        String id = item.get("id").textValue();
        PartitionKey key = new PartitionKey("tenant");

        JsonNode created = container.createItem(item.deepCopy(), key, null).getItem();

        assertThat(created.get("name")).isEqualTo(item.get("name"));
        assertThat(created.get("secret")).isEqualTo(item.get("secret"));
        JsonNode read = container.readItem(id, key, ObjectNode.class).getItem();
        assertThat(read.get("name").textValue()).isEqualTo("Ada");
        assertThat(read.get("secret").get("pin").intValue()).isEqualTo(1234);
        List<ObjectNode> stored =
                seen.readAllItems(new PartitionKey("tenant"), ObjectNode.class).stream().toList();
        assertThat(stored).isEmpty(); // its key is encrypted, too
        String text =
                seen
                        .queryItems(
                                "SELECT * FROM c",
                                new CosmosQueryRequestOptions(),
                                ObjectNode.class)
                        .stream()
                        .toList()
                        .toString();
        assertThat(text).contains("\"open\":1").doesNotContain("Ada", "tenant", "1234", id);
    }

    @Test
    void encryptedPropertiesAreFound() {
        CosmosEncryptionContainer container =
                database.getCosmosEncryptionContainer(container().getId());
        for (String name : List.of("Ada", "Grace", "Edsger")) {
            container.createItem(item("tenant", name), new PartitionKey("tenant"), null);
        }
        SqlQuerySpecWithEncryption query =
                new SqlQuerySpecWithEncryption(
                        new SqlQuerySpec(
                                "SELECT * FROM c WHERE c.name = @name AND c.open = @open",
                                new SqlParameter("@open", 1)));
        query.addEncryptionParameter("/name", new SqlParameter("@name", "Grace"));

        List<ObjectNode> found =
                container
                        .queryItemsOnEncryptedProperties(
                                query, new CosmosQueryRequestOptions(), ObjectNode.class)
                        .stream()
                        .toList();

        assertThat(found)
                .singleElement()
                .satisfies(
                        item -> {
                            assertThat(item.get("name").textValue()).isEqualTo("Grace");
                            assertThat(item.get("secret").get("pin").intValue()).isEqualTo(1234);
                        });
    }

    @Test
    void itemsAreChangedInEveryWay() {
        CosmosEncryptionContainer container =
                database.getCosmosEncryptionContainer(container().getId());
        ObjectNode item = item("tenant", "Ada");
        String id = item.get("id").textValue();
        PartitionKey key = new PartitionKey("tenant");
        container.upsertItem(item.deepCopy(), key, null);
        container.replaceItem(item.deepCopy().put("name", "Grace"), id, key, null);

        ObjectNode patched =
                container
                        .patchItem(
                                id,
                                key,
                                CosmosPatchOperations.create()
                                        .set("/name", "Edsger")
                                        .increment("/open", 1),
                                new CosmosPatchItemRequestOptions(),
                                ObjectNode.class)
                        .getItem();

        assertThat(patched.get("name").textValue()).isEqualTo("Edsger");
        assertThat(patched.get("open").intValue()).isEqualTo(2);
        container.deleteItem(id, key, null);
        assertFails(404, 0, () -> container.readItem(id, key, ObjectNode.class));
        CosmosBatch batch = CosmosBatch.createCosmosBatch(key);
        batch.createItemOperation(item.deepCopy());
        batch.readItemOperation(id);
        var answer = container.executeCosmosBatch(batch);
        assertThat(answer.isSuccessStatusCode()).isTrue();
        assertThat(answer.getResults().get(1).getItem(ObjectNode.class).get("name").textValue())
                .isEqualTo("Ada");
    }

    private static CosmosContainer container() {
        String id = uniqueName("c");
        CosmosContainerProperties properties =
                Cosmos.properties(id, "/pk")
                        .setClientEncryptionPolicy(
                                new ClientEncryptionPolicy(
                                        List.of(
                                                path("/id", "key1", "Deterministic"),
                                                path("/pk", "key1", "Deterministic"),
                                                path("/name", "key2", "Deterministic"),
                                                path("/secret", "key2", "Randomized")),
                                        2));
        plain.createContainer(properties);
        return plain.getContainer(id);
    }

    private static ClientEncryptionIncludedPath path(String path, String key, String type) {
        return new ClientEncryptionIncludedPath()
                .setPath(path)
                .setClientEncryptionKeyId(key)
                .setEncryptionType(type)
                .setEncryptionAlgorithm(ALGORITHM);
    }

    private static EncryptionKeyWrapMetadata metadata(String name) {
        return new EncryptionKeyWrapMetadata(STORE, name, "place of " + name, "RSA-OAEP");
    }

    private static ObjectNode item(String key, String name) {
        ObjectNode item =
                Cosmos.JSON
                        .createObjectNode()
                        .put("id", uniqueName("i"))
                        .put("pk", key)
                        .put("name", name)
                        .put("open", 1);
        item.putObject("secret").put("pin", 1234);
        return item;
    }
}
