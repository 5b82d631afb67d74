package orrery.tests.sdk;

import static com.mongodb.client.model.Filters.eq;
import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Documents.assertRefused;
import static orrery.tests.sdk.Documents.numbered;
import static orrery.tests.sdk.Documents.numbers;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCredential;
import com.mongodb.MongoException;
import com.mongodb.MongoSecurityException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Sorts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The service behind MongoDB's Java driver: connections, sharding, throttling, and what lasts. */
@Tag("client")
@Timeout(600)
final class MongoServiceTest {
    private static final Pattern REFUSAL = Pattern.compile("RetryAfterMs=(\\d+), ");

    @Test
    void clientsConnectWithAndWithoutTls() {
        RunningServer server = Documents.server();
        ConnectionString printed = new ConnectionString(server.mongoConnectionString());
        assertThat(printed.getSslEnabled()).isTrue();
        assertThat(printed.getRequiredReplicaSetName()).isEqualTo("globaldb");
        assertThat(ping(Documents.settings(server))).isEqualTo(1.0);
        MongoClientSettings.Builder plain =
                MongoClientSettings.builder()
                        .applyConnectionString(
                                new ConnectionString(
                                        server.mongoConnectionString()
                                                .replace("tls=true", "tls=false")
                                                .replaceAll("tlsCAFile=[^&]*&", "")));
        assertThat(ping(plain)).isEqualTo(1.0);
        ConnectionString compressed =
                new ConnectionString(server.mongoConnectionString() + "&compressors=zlib");
        assertThat(ping(Documents.settings(server).applyConnectionString(compressed)))
                .isEqualTo(1.0);
        for (MongoCredential mechanism :
                List.of(
                        MongoCredential.createScramSha1Credential(
                                "localhost", "admin", server.key().toCharArray()),
                        MongoCredential.createScramSha256Credential(
                                "localhost", "admin", server.key().toCharArray()))) {
            assertThat(ping(Documents.settings(server).credential(mechanism))).isEqualTo(1.0);
        }
        MongoCredential wrong =
                MongoCredential.createCredential("localhost", "admin", "d3Jvbmc=".toCharArray());
        Throwable refusal =
                Assertions.catchThrowable(() -> ping(Documents.settings(server).credential(wrong)));
        assertThat(refusal).isInstanceOf(MongoSecurityException.class);
        assertThat(refusal.getCause()).hasMessageContaining("Authentication failed");
    }

    private static double ping(MongoClientSettings.Builder settings) {
        try (MongoClient client = MongoClients.create(settings.build())) {
            return client.getDatabase("admin").runCommand(new Document("ping", 1)).getDouble("ok");
        }
    }

    @Test
    void collectionsAreShardedInTheWordsOfTheService() {
        MongoDatabase admin = Documents.client().getDatabase("admin");
        MongoDatabase shop = Documents.database();
        String name = "shop." + Documents.uniqueName();
        Document byRegion =
                new Document("shardCollection", name)
                        .append("key", new Document("region", "hashed"));
        for (int i = 0; i < 2; i++) {
            assertThat(admin.runCommand(byRegion))
                    .containsEntry("_t", "ShardCollectionResponse")
                    .containsEntry("collectionsharded", name);
        }
        assertRefused(
                20,
                () ->
                        admin.runCommand(
                                new Document("shardCollection", name)
                                        .append("key", new Document("country", "hashed"))));
        MongoCollection<Document> sharded = shop.getCollection(name.substring("shop.".length()));
        assertRefused(61, () -> sharded.insertOne(new Document("country", "no")));
        sharded.insertOne(new Document("_id", 1).append("region", "north"));
        sharded.insertOne(new Document("_id", 1).append("region", "south"));
        assertThat(sharded.countDocuments(eq("_id", 1))).isEqualTo(2);
        assertRefused(
                66,
                () ->
                        sharded.updateOne(
                                eq("region", "north"), Document.parse("{$set: {region: 'east'}}")));
        Document described =
                shop.runCommand(
                        new Document("customAction", "GetCollection")
                                .append("collection", sharded.getNamespace().getCollectionName()));
        assertThat(described)
                .containsEntry("shardKeyDefinition", new Document("region", "hashed"))
                .containsEntry("provisionedThroughput", 400);
        shop.runCommand(
                new Document("customAction", "UpdateCollection")
                        .append("collection", sharded.getNamespace().getCollectionName())
                        .append("offerThroughput", 1200));
        assertThat(
                        shop.runCommand(
                                new Document("customAction", "GetCollection")
                                        .append(
                                                "collection",
                                                sharded.getNamespace().getCollectionName())))
                .containsEntry("provisionedThroughput", 1200);

        assertThat(Documents.client().listDatabaseNames()).contains("shop");
        assertThat(shop.listCollectionNames()).contains(sharded.getNamespace().getCollectionName());
        sharded.drop();
        assertThat(shop.listCollectionNames())
                .doesNotContain(sharded.getNamespace().getCollectionName());
    }

    /** The first write makes a collection, and many may be the first. */
    @Test
    void manyClientsMayMakeOneCollection() throws Exception {
        String name = Documents.uniqueName();
        MongoCollection<Document> items =
                Documents.client().getDatabase("made-" + name).getCollection(name);
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> writes = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                Document document = numbered(i);
                writes.add(clients.submit(() -> items.insertOne(document)));
            }
            for (Future<?> write : writes) {
                assertThat(write.get()).isNotNull();
            }
        }
        assertThat(items.countDocuments()).isEqualTo(16);
    }

    /** The server of all other tests throttles, so a large document makes the next one wait. */
    @Test
    void aHotLoopIsToldToWaitAndHowLong() {
        try (MongoClient client = Documents.connect(Cosmos.server())) {
            MongoCollection<Document> items = client.getDatabase("hot").getCollection("items");
            Document large = new Document("fill", "f".repeat(1_000_000));
            List<MongoException> refusals = new ArrayList<>();
            int written = 0;
            while (refusals.isEmpty()) {
                assertThat(written).as("written, and never refused").isLessThan(200);
                try {
                    items.insertOne(new Document(large).append("_id", written));
                    written++;
                } catch (MongoException e) {
                    refusals.add(e);
                }
            }
            MongoException refusal = refusals.getFirst();
            assertThat(refusal.getCode()).as(refusal.getMessage()).isEqualTo(16500);
            Matcher wait = REFUSAL.matcher(refusal.getMessage());
            assertThat(wait.find()).as(refusal.getMessage()).isTrue();
            assertThat(Integer.parseInt(wait.group(1))).isPositive();
            assertThat(written).isPositive();
        }
    }

    /** A cursor remembers what it has given, and not where that was. */
    @Test
    void cursorsGoOnOverSplitsAndMerges() {
        try (SmallPartitions small = SmallPartitions.start();
                MongoClient client = Documents.connect(small.server());
                Operator operator = new Operator(small.server(), "grows", "items")) {
            MongoDatabase grows = client.getDatabase("grows");
            grows.runCommand(
                    new Document("customAction", "CreateCollection")
                            .append("collection", "items")
                            .append("offerThroughput", 2 * SmallPartitions.THROUGHPUT)
                            .append("shardKey", "tenant"));
            MongoCollection<Document> items = grows.getCollection("items");
            items.createIndex(new Document("n", 1));
            items.insertMany(numbered(0, 200));
            List<Reading> readings =
                    List.of(
                            new Reading(items.find().batchSize(10).cursor()),
                            new Reading(
                                    items.find()
                                            .batchSize(10)
                                            .sort(Sorts.descending("n"))
                                            .cursor()),
                            new Reading(items.find(eq("odd", true)).batchSize(5).cursor()));
            readings.forEach(reading -> reading.read(13));
            splitAll(operator);
            readings.forEach(reading -> reading.read(24));
            int first = operator.partitions().getFirst().get("id").asInt();
            assertThat(operator.merge(first)).isTrue();
            readings.forEach(Reading::readAll);

            List<Integer> all = IntStream.range(0, 200).boxed().toList();
            assertThat(readings.get(0).seen).containsExactlyInAnyOrderElementsOf(all);
            assertThat(readings.get(1).seen).isEqualTo(all.reversed());
            assertThat(readings.get(2).seen)
                    .containsExactlyInAnyOrderElementsOf(
                            all.stream().filter(n -> n % 2 == 1).toList());
            assertThat(
                            items.updateMany(new Document(), Document.parse("{$inc: {n: 1}}"))
                                    .getModifiedCount())
                    .isEqualTo(200);

            // A restart ends cursors, by name, and nothing else.
            Reading begun = new Reading(items.find().batchSize(10).cursor());
            begun.read(3);
            small.server().kill();
            small.server().restart();
            assertThat(numbers("n", items.find().sort(Sorts.ascending("n"))))
                    .isEqualTo(IntStream.range(1, 201).boxed().toList());
            assertThat(Assertions.catchThrowable(begun::readAll))
                    .isInstanceOf(MongoException.class);
        }
    }

    private static void splitAll(Operator operator) {
        operator.partitions()
                .forEach(range -> assertThat(operator.split(range.get("id").asInt())).isTrue());
    }

    /** A cursor, and the numbers of what it has given. */
    private record Reading(MongoCursor<Document> cursor, List<Integer> seen) {
        Reading(MongoCursor<Document> cursor) {
            this(cursor, new ArrayList<>());
        }

        void read(int count) {
            for (int i = 0; i < count; i++) {
                seen.add(cursor.next().getInteger("n"));
            }
        }

        void readAll() {
            cursor.forEachRemaining(document -> seen.add(document.getInteger("n")));
        }
    }
}
