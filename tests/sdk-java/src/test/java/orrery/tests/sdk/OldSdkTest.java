package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.azure.documentdb.AccessCondition;
import com.microsoft.azure.documentdb.AccessConditionType;
import com.microsoft.azure.documentdb.ConnectionMode;
import com.microsoft.azure.documentdb.ConnectionPolicy;
import com.microsoft.azure.documentdb.ConsistencyLevel;
import com.microsoft.azure.documentdb.Database;
import com.microsoft.azure.documentdb.Document;
import com.microsoft.azure.documentdb.DocumentClient;
import com.microsoft.azure.documentdb.DocumentClientException;
import com.microsoft.azure.documentdb.DocumentCollection;
import com.microsoft.azure.documentdb.FeedOptions;
import com.microsoft.azure.documentdb.Offer;
import com.microsoft.azure.documentdb.PartitionKey;
import com.microsoft.azure.documentdb.PartitionKeyDefinition;
import com.microsoft.azure.documentdb.PartitionKeyRange;
import com.microsoft.azure.documentdb.RequestOptions;
import com.microsoft.azure.documentdb.ResourceResponse;
import com.microsoft.azure.documentdb.SqlParameter;
import com.microsoft.azure.documentdb.SqlParameterCollection;
import com.microsoft.azure.documentdb.SqlQuerySpec;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The SDK of 2014 to 2020, {@code azure-documentdb}: older protocol version, first hash version.
 */
@Tag("client")
final class OldSdkTest {
    private static final String DATABASE = "dbs/db";
    private static final String COLLECTION = "dbs/db/colls/coll";

    private static final com.azure.cosmos.models.PartitionKey NONE =
            com.azure.cosmos.models.PartitionKey.NONE;

    private static RunningServer server;
    private static DocumentClient client;
    private static DocumentCollection collection;

    @BeforeAll
    static void createDatabaseAndCollection() throws DocumentClientException {
        server = RunningServer.start();
        client = newClient();
        Database database = new Database();
        database.setId("db");
        client.createDatabase(database, null);
        PartitionKeyDefinition key = new PartitionKeyDefinition();
        key.setPaths(List.of("/deviceId"));
        DocumentCollection wanted = new DocumentCollection();
        wanted.setId("coll");
        wanted.setPartitionKey(key);
        RequestOptions options = new RequestOptions();
        options.setOfferThroughput(20_000);
        collection = client.createCollection(DATABASE, wanted, options).getResource();
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    private static DocumentClient newClient() {
        ConnectionPolicy policy = new ConnectionPolicy();
        policy.setConnectionMode(ConnectionMode.Gateway);
        return new DocumentClient(
                server.endpoint(), server.key(), policy, ConsistencyLevel.Session);
    }

    @Test
    void itemIsWrittenAndReadWithItsKey() throws DocumentClientException {
        Document written =
                new Document("{\"id\":\"XMS-001-FE24C\",\"deviceId\":\"XMS-0001\",\"v\":1}");

        ResourceResponse<Document> created = client.createDocument(COLLECTION, written, null, true);
        assertThat(created.getStatusCode()).isEqualTo(201);
        // It speaks 2018-09-17, which is past the version that still parsed plain numbers.
        assertThat(created.getSessionToken()).matches("\\d+:-1#\\d+");

        ResourceResponse<Document> read =
                client.readDocument(COLLECTION + "/docs/XMS-001-FE24C", key("XMS-0001"));
        assertThat(read.getResource().getInt("v")).isEqualTo(1);
        assertThat(read.getResource().getETag()).isEqualTo(created.getResource().getETag());
        assertFails(
                404,
                () -> client.readDocument(COLLECTION + "/docs/XMS-001-FE24C", key("XMS-0002")));
    }

    @Test
    void collectionHasTwoRangesAndTheFirstHashVersion() throws DocumentClientException {
        List<PartitionKeyRange> ranges = new ArrayList<>();
        client.readPartitionKeyRanges(COLLECTION, new FeedOptions())
                .getQueryIterable()
                .forEach(ranges::add);

        assertThat(ranges).hasSize(2);
        assertThat(ranges.get(0).getMinInclusive()).isEmpty();
        assertThat(ranges.get(0).getMaxExclusive())
                .startsWith("05C1")
                .isEqualTo(ranges.get(1).getMinInclusive());
        assertThat(ranges.get(1).getMaxExclusive()).isEqualTo("FF");
        DocumentCollection read = client.readCollection(COLLECTION, null).getResource();
        assertThat(read.getPartitionKey().getPaths()).containsExactly("/deviceId");
        assertThat(read.getPartitionKey().get("version")).isIn(null, 1);
    }

    @Test
    void itemsAreChangedByName() throws DocumentClientException {
        String link = COLLECTION + "/docs/by-name";
        client.createDocument(COLLECTION, document("by-name", "k", 1), null, true);

        client.upsertDocument(COLLECTION, document("by-name", "k", 2), null, true);
        assertThat(client.readDocument(link, key("k")).getResource().getInt("v")).isEqualTo(2);
        client.replaceDocument(link, document("by-name", "k", 3), key("k"));
        assertThat(client.readDocument(link, key("k")).getResource().getInt("v")).isEqualTo(3);
        assertFails(
                409,
                () -> client.createDocument(COLLECTION, document("by-name", "k", 4), null, true));
        client.deleteDocument(link, key("k"));
        assertFails(404, () -> client.readDocument(link, key("k")));
    }

    @Test
    void itemsAreChangedBySelfLink() throws DocumentClientException {
        assertThat(collection.getSelfLink()).matches("dbs/.+/colls/.+/");
        Document created =
                client.createDocument(
                                collection.getSelfLink(), document("by-rid", "k", 1), null, true)
                        .getResource();

        Document read = client.readDocument(created.getSelfLink(), key("k")).getResource();
        assertThat(read.getId()).isEqualTo("by-rid");
        read.set("v", 2);
        Document replaced = client.replaceDocument(read, key("k")).getResource();
        assertThat(replaced.getInt("v")).isEqualTo(2);
        assertThat(replaced.getSelfLink()).isEqualTo(created.getSelfLink());
        assertThat(client.readCollection(collection.getSelfLink(), null).getResource().getId())
                .isEqualTo("coll");
        client.deleteDocument(created.getSelfLink(), key("k"));
        assertFails(404, () -> client.readDocument(created.getSelfLink(), key("k")));
    }

    @Test
    void preconditionsHold() throws DocumentClientException {
        Document created =
                client.createDocument(COLLECTION, document("etag", "k", 1), null, true)
                        .getResource();
        client.upsertDocument(COLLECTION, document("etag", "k", 2), null, true);
        AccessCondition condition = new AccessCondition();
        condition.setType(AccessConditionType.IfMatch);
        condition.setCondition(created.getETag());
        RequestOptions options = key("k");
        options.setAccessCondition(condition);

        assertFails(
                412,
                () ->
                        client.replaceDocument(
                                COLLECTION + "/docs/etag", document("etag", "k", 3), options));
    }

    @Test
    void feedHoldsAllItems() throws DocumentClientException {
        DocumentCollection wanted = new DocumentCollection();
        wanted.setId("feed");
        PartitionKeyDefinition key = new PartitionKeyDefinition();
        key.setPaths(List.of("/deviceId"));
        wanted.setPartitionKey(key);
        RequestOptions throughput = new RequestOptions();
        throughput.setOfferThroughput(20_000);
        DocumentCollection feed =
                client.createCollection(DATABASE, wanted, throughput).getResource();
        List<String> written = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            client.createDocument("dbs/db/colls/feed", document("i" + i, "k" + i, i), null, true);
            written.add("i" + i);
        }

        FeedOptions pages = new FeedOptions();
        pages.setPageSize(7);
        assertThat(ids(client.readDocuments("dbs/db/colls/feed", pages).getQueryIterable()))
                .containsExactlyInAnyOrderElementsOf(written);
        assertThat(ids(client.readDocuments(feed.getSelfLink(), pages).getQueryIterable()))
                .containsExactlyInAnyOrderElementsOf(written);
        assertThat(
                        client.readCollections(DATABASE, null).getQueryIterable().toList().stream()
                                .map(DocumentCollection::getId))
                .contains("coll", "feed");
    }

    @Test
    void databasesAreListedAndQueried() throws DocumentClientException {
        assertThat(client.readDatabases(null).getQueryIterable().toList())
                .extracting(Database::getId)
                .contains("db");
        SqlQuerySpec query =
                new SqlQuerySpec(
                        "SELECT * FROM root r WHERE r.id=@id",
                        new SqlParameterCollection(new SqlParameter("@id", "db")));
        assertThat(client.queryDatabases(query, null).getQueryIterable().toList())
                .extracting(Database::getId)
                .containsExactly("db");
        assertThat(
                        client.queryCollections(
                                        DATABASE, "SELECT * FROM r WHERE r.id = 'coll'", null)
                                .getQueryIterable()
                                .toList())
                .extracting(DocumentCollection::getSelfLink)
                .containsExactly(collection.getSelfLink());
    }

    @Test
    void offersAreReadAndReplaced() throws DocumentClientException {
        DocumentCollection wanted = new DocumentCollection();
        wanted.setId("offered");
        PartitionKeyDefinition key = new PartitionKeyDefinition();
        key.setPaths(List.of("/deviceId"));
        wanted.setPartitionKey(key);
        RequestOptions throughput = new RequestOptions();
        throughput.setOfferThroughput(500);
        DocumentCollection offered =
                client.createCollection(DATABASE, wanted, throughput).getResource();

        Offer offer =
                client.queryOffers(
                                "SELECT * FROM root r WHERE r.offerResourceId = '"
                                        + offered.getResourceId()
                                        + "'",
                                null)
                        .getQueryIterable()
                        .toList()
                        .get(0);
        assertThat(offer.getContent().getInt("offerThroughput")).isEqualTo(500);
        assertThat(offer.getResourceLink()).isEqualTo(offered.getSelfLink());
        offer.getContent().put("offerThroughput", 700);
        client.replaceOffer(offer);
        assertThat(
                        client.readOffer(offer.getSelfLink())
                                .getResource()
                                .getContent()
                                .getInt("offerThroughput"))
                .isEqualTo(700);
        assertThat(client.readOffers(null).getQueryIterable().toList())
                .extracting(Offer::getOfferResourceId)
                .contains(offered.getResourceId(), collection.getResourceId());
    }

    @Test
    void anotherClientGoesOnFromASessionToken() throws DocumentClientException {
        String token =
                client.createDocument(COLLECTION, document("session", "k", 1), null, true)
                        .getSessionToken();
        DocumentClient other = newClient();
        try {
            RequestOptions options = key("k");
            options.setSessionToken(token);
            assertThat(
                            other.readDocument(COLLECTION + "/docs/session", options)
                                    .getResource()
                                    .getInt("v"))
                    .isEqualTo(1);
        } finally {
            other.close();
        }
    }

    /** Its containers without a key have one for clients of today, which old items lack. */
    @Test
    void aCollectionWithoutAKeyIsGivenOne() throws DocumentClientException {
        DocumentCollection wanted = new DocumentCollection();
        wanted.setId("keyless");
        client.createCollection(DATABASE, wanted, null);
        String link = "dbs/db/colls/keyless";
        client.createDocument(link, document("old", "d", 1), null, true);
        client.createDocument(link, document("old2", "d", 2), null, true);

        assertThat(client.readCollection(link, null).getResource().has("partitionKey")).isFalse();
        assertThat(client.readDocument(link + "/docs/old", null).getResource().getInt("v"))
                .isEqualTo(1);
        assertThat(
                        ids(
                                client.queryDocuments(link, "SELECT * FROM c WHERE c.v > 1", null)
                                        .getQueryIterable()))
                .containsExactly("old2");
        DocumentCollection read = client.readCollection(link, null).getResource();
        read.setDefaultTimeToLive(1000);
        assertThat(client.replaceCollection(read, null).getResource().getDefaultTimeToLive())
                .isEqualTo(1000);

        try (CosmosClient today = Cosmos.newClient(server)) {
            CosmosContainer container = today.getDatabase("db").getContainer("keyless");
            assertThat(container.read().getProperties().getPartitionKeyDefinition().getPaths())
                    .containsExactly("/_partitionKey");
            assertThat(own(container, "old", NONE).get("v").asInt()).isEqualTo(1);
            container.upsertItem(Cosmos.json("{\"id\":\"old\",\"v\":5}"), NONE, null);
            container.createItem(Cosmos.json("{\"id\":\"old\",\"_partitionKey\":\"a\"}"));
            assertThat(
                            own(container, "old", new com.azure.cosmos.models.PartitionKey("a"))
                                    .has("v"))
                    .isFalse();
            assertThat(
                            container.queryItems(
                                    "SELECT VALUE c.id FROM c WHERE NOT IS_DEFINED(c._partitionKey)",
                                    new CosmosQueryRequestOptions(),
                                    String.class))
                    .containsExactlyInAnyOrder("old", "old2");
            CosmosContainerProperties properties = container.read().getProperties();
            container.replace(properties.setDefaultTimeToLiveInSeconds(2000));
        }

        assertThat(client.readDocument(link + "/docs/old", null).getResource().getInt("v"))
                .isEqualTo(5);
        assertThat(client.readCollection(link, null).getResource().getDefaultTimeToLive())
                .isEqualTo(2000);
        client.deleteDocument(link + "/docs/old2", null);
        client.deleteCollection(link, null);
    }

    private static ObjectNode own(
            CosmosContainer container, String id, com.azure.cosmos.models.PartitionKey key) {
        return container.readItem(id, key, ObjectNode.class).getItem();
    }

    private static void assertFails(int status, ThrowingCallable call) {
        DocumentClientException failure = catchThrowableOfType(DocumentClientException.class, call);
        assertThat(failure).as("expected %s", status).isNotNull();
        assertThat(failure.getStatusCode()).as(failure.getMessage()).isEqualTo(status);
    }

    private static Document document(String id, String device, int v) {
        Document document = new Document();
        document.setId(id);
        document.set("deviceId", device);
        document.set("v", v);
        return document;
    }

    private static RequestOptions key(String device) {
        RequestOptions options = new RequestOptions();
        options.setPartitionKey(new PartitionKey(device));
        return options;
    }

    private static List<String> ids(Iterable<Document> documents) {
        List<String> ids = new ArrayList<>();
        documents.forEach(document -> ids.add(document.getId()));
        return ids;
    }
}
