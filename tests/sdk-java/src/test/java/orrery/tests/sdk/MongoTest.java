package orrery.tests.sdk;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Filters.or;
import static com.mongodb.client.model.Sorts.ascending;
import static com.mongodb.client.model.Sorts.descending;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.pushEach;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.Updates.setOnInsert;
import static com.mongodb.client.model.Updates.unset;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.tuple;
import static orrery.tests.sdk.Documents.assertRefused;
import static orrery.tests.sdk.Documents.numbered;
import static orrery.tests.sdk.Documents.numbers;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.gridfs.GridFSBucket;
import com.mongodb.client.gridfs.GridFSBuckets;
import com.mongodb.client.gridfs.model.GridFSUploadOptions;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.PushOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.result.UpdateResult;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDbPointer;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonJavaScript;
import org.bson.BsonJavaScriptWithScope;
import org.bson.BsonMaxKey;
import org.bson.BsonMinKey;
import org.bson.BsonNull;
import org.bson.BsonObjectId;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonSymbol;
import org.bson.BsonTimestamp;
import org.bson.BsonUndefined;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.types.Decimal128;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** Documents with the unmodified {@code org.mongodb:mongodb-driver-sync}. */
@Tag("client")
@Timeout(300)
final class MongoTest {
    private final int throughput;
    private final boolean isSharded;
    private final MongoCollection<Document> items;

    MongoTest(int throughput) {
        this.throughput = throughput;
        this.isSharded = throughput > Cosmos.ONE;
        this.items = Documents.create(throughput);
    }

    /** Every type that BSON has, in an order that no sort would give, and the edges of numbers. */
    private static BsonDocument everyType() {
        BsonDocument all = new BsonDocument("_id", new BsonObjectId(new ObjectId()));
        all.append("tenant", new BsonString("types"));
        all.append("z", new BsonInt32(Integer.MIN_VALUE));
        all.append("y", new BsonInt64(9007199254740993L));
        all.append("whole", new BsonDouble(3.0));
        all.append("negativeZero", new BsonDouble(-0.0));
        all.append("nan", new BsonDouble(Double.NaN));
        all.append("least", new BsonDouble(Double.MIN_VALUE));
        all.append("decimal", new BsonDecimal128(Decimal128.parse("1.10E-20")));
        all.append("decimalNaN", new BsonDecimal128(Decimal128.NaN));
        all.append("text", new BsonString("it's \"ü\" 漢🚀\n\u0000 end"));
        all.append("", new BsonString("a field without a name"));
        all.append("yes", BsonBoolean.TRUE);
        all.append("none", BsonNull.VALUE);
        all.append("date", new BsonDateTime(Long.MIN_VALUE));
        all.append("timestamp", new BsonTimestamp(-1L));
        all.append("bytes", new BsonBinary((byte) 0x80, new byte[] {0, -1, 127}));
        all.append("oldBytes", new BsonBinary((byte) 2, new byte[] {1}));
        all.append("uuid", new BsonBinary(new UUID(1, 2)));
        all.append("pattern", new BsonRegularExpression("^a.*\\/", "imsx"));
        all.append("code", new BsonJavaScript("f()"));
        all.append(
                "closure", new BsonJavaScriptWithScope("f()", new BsonDocument("x", all.get("z"))));
        all.append("symbol", new BsonSymbol("s"));
        all.append("pointer", new BsonDbPointer("shop.c", new ObjectId()));
        all.append("undefined", new BsonUndefined());
        all.append("min", new BsonMinKey());
        all.append("max", new BsonMaxKey());
        BsonDocument inner = new BsonDocument("b", new BsonInt32(1)).append("a", new BsonInt64(1));
        all.append("list", new BsonArray(List.of(inner, new BsonArray(), new BsonDocument())));
        return all;
    }

    private static ByteBuffer bytes(RawBsonDocument document) {
        return document.getByteBuffer().asNIO();
    }

    @OnOneAndFivePartitions
    void everyTypeComesBackByteForByte() {
        MongoCollection<RawBsonDocument> raw = items.withDocumentClass(RawBsonDocument.class);
        RawBsonDocument sent = new RawBsonDocument(everyType(), new BsonDocumentCodec());
        raw.insertOne(sent);
        for (BsonDocument filter :
                List.of(
                        new BsonDocument(),
                        new BsonDocument("_id", sent.get("_id")),
                        new BsonDocument("tenant", sent.get("tenant")))) {
            assertThat(bytes(raw.find(filter).first())).as("%s", filter).isEqualTo(bytes(sent));
        }
        // Each value finds the document, too: what is kept exactly is compared exactly.
        sent.forEach(
                (name, value) -> {
                    boolean isPattern = value.isRegularExpression();
                    if (!name.isEmpty()
                            && !value.isArray()
                            && !isPattern
                            && !name.equals("undefined")) {
                        assertThat(raw.countDocuments(new BsonDocument(name, value)))
                                .as(name)
                                .isEqualTo(1);
                    }
                });
        // An update leaves alone what it does not name.
        raw.updateOne(new BsonDocument("_id", sent.get("_id")), set("zz", 1));
        BsonDocument changed = everyType();
        changed.putAll(sent);
        changed.append("zz", new BsonInt32(1));
        assertThat(bytes(raw.find().first()))
                .isEqualTo(bytes(new RawBsonDocument(changed, new BsonDocumentCodec())));
    }

    @OnOneAndFivePartitions
    void documentsAreFoundInOrderInPartAndInPages() {
        items.createIndex(new Document("n", 1));
        assertThat(items.insertMany(numbered(0, 40)).getInsertedIds()).hasSize(40);

        assertThat(numbers("n", items.find(gte("n", 30)).sort(descending("n"))))
                .isEqualTo(IntStream.range(0, 10).mapToObj(i -> 39 - i).toList());
        assertThat(numbers("_id", items.find().sort(ascending("n")).skip(5).limit(3)))
                .containsExactly(5, 6, 7);
        assertThat(items.find(eq("n", 8)).projection(Projections.include("n", "odd")).first())
                .isEqualTo(new Document("_id", 8).append("n", 8).append("odd", false));
        assertThat(numbers("n", items.find(or(in("n", 1, 2), and(eq("odd", true), lt("n", 6))))))
                .containsExactlyInAnyOrder(1, 2, 3, 5);
        assertThat(numbers("n", items.find().batchSize(7).sort(ascending("n"))))
                .isEqualTo(IntStream.range(0, 40).boxed().toList());
        assertThat(items.distinct("tenant", lt("n", 3), String.class))
                .containsExactlyInAnyOrder("t0", "t1", "t2");
        assertThat(items.countDocuments(eq("odd", true))).isEqualTo(20);
        assertThat(items.countDocuments(eq("odd", true), new CountOptions().skip(15).limit(9)))
                .isEqualTo(5);
        assertThat(items.estimatedDocumentCount()).isEqualTo(40);
        try (MongoCursor<Document> cursor = items.find().batchSize(3).cursor()) {
            assertThat(cursor.next()).isNotNull();
            assertThat(cursor.getServerCursor()).isNotNull();
        }
        assertRefused(2, () -> items.find(new Document("n", new Document("$near", 1))).first());
    }

    @OnOneAndFivePartitions
    void documentsAreWrittenInEveryWay() {
        Document one = new Document("tenant", "w").append("_id", "one");
        UpdateResult made = items.updateOne(one, set("n", 1), new UpdateOptions().upsert(true));
        assertThat(made.getUpsertedId()).isEqualTo(new BsonString("one"));
        UpdateResult changed =
                items.updateOne(
                        one,
                        combine(
                                inc("n", 2L),
                                pushEach("tags", List.of("b", "a"), new PushOptions().sort(1))));
        assertThat(changed.getModifiedCount()).isEqualTo(1);
        assertThat(items.updateOne(one, set("n", 3L)).getModifiedCount()).isZero();
        assertThat(items.find(one).first())
                .containsEntry("n", 3L)
                .containsEntry("tags", List.of("a", "b"));
        items.replaceOne(one, new Document("tenant", "w").append("fresh", true));
        assertThat(items.findOneAndUpdate(one, unset("fresh"))).containsEntry("fresh", true);
        assertThat(
                        items.findOneAndUpdate(
                                new Document("tenant", "w").append("_id", "two"),
                                setOnInsert("n", 9),
                                new FindOneAndUpdateOptions()
                                        .upsert(true)
                                        .returnDocument(ReturnDocument.AFTER)))
                .containsEntry("n", 9);
        assertThat(items.updateMany(eq("tenant", "w"), inc("n", 1)).getModifiedCount())
                .isEqualTo(2);
        assertThat(items.findOneAndDelete(one)).containsEntry("n", 1);
        assertThat(items.find(one).first()).isNull();
        assertThat(items.deleteOne(eq("tenant", "w")).getDeletedCount()).isEqualTo(1);
        assertThat(items.deleteMany(eq("tenant", "w")).getDeletedCount()).isZero();
        assertRefused(
                66,
                () -> {
                    items.insertOne(numbered(1));
                    items.updateOne(eq("_id", 1), set("_id", 2));
                });
        assertRefused(11000, () -> items.insertOne(numbered(1)));
    }

    @OnOneAndFivePartitions
    void listsOfWritesSayWhatFailed() {
        MongoBulkWriteException failed =
                (MongoBulkWriteException)
                        catchThrowable(
                                () ->
                                        items.bulkWrite(
                                                List.of(
                                                        new InsertOneModel<>(numbered(1)),
                                                        new InsertOneModel<>(numbered(1)),
                                                        new UpdateOneModel<>(
                                                                and(
                                                                        eq("_id", 1),
                                                                        eq("tenant", "t1")),
                                                                inc("n", 1)),
                                                        new UpdateOneModel<>(
                                                                and(
                                                                        eq("_id", 1),
                                                                        eq("tenant", "t1")),
                                                                inc("tenant", 1)),
                                                        new DeleteOneModel<>(
                                                                and(
                                                                        eq("_id", 7),
                                                                        eq("tenant", "t0")))),
                                                new BulkWriteOptions().ordered(false)));
        assertThat(failed.getWriteErrors())
                .extracting(BulkWriteError::getIndex, BulkWriteError::getCode)
                .containsExactly(tuple(1, 11000), tuple(3, 14));
        assertThat(failed.getWriteResult().getInsertedCount()).isEqualTo(1);
        assertThat(failed.getWriteResult().getModifiedCount()).isEqualTo(1);
        // Ten thousand documents are several messages of the driver, and of the log.
        List<Document> many = numbered(100, 10_100);
        assertThat(items.insertMany(many).getInsertedIds()).hasSize(10_000);
        assertThat(items.countDocuments()).isEqualTo(10_001);
    }

    @OnOneAndFivePartitions
    void indexesDecideWhatIsUniqueAndWhatExpires() {
        // Values are unique within one value of the shard key.
        Document key = isSharded ? new Document("tenant", 1) : new Document();
        key.append("email", 1);
        if (isSharded) {
            assertRefused(
                    67,
                    () ->
                            items.createIndex(
                                    new Document("email", 1), new IndexOptions().unique(true)));
        }
        String name = items.createIndex(key, new IndexOptions().unique(true));
        Document ada = new Document("tenant", "t").append("email", "ada@example.org");
        items.insertOne(new Document(ada));
        MongoException error = assertRefused(11000, () -> items.insertOne(new Document(ada)));
        assertThat(error)
                .hasMessageContaining("E11000 duplicate key error")
                .hasMessageContaining(name);
        items.dropIndex(name);
        items.insertOne(new Document(ada));
        assertRefused(11000, () -> items.createIndex(key, new IndexOptions().unique(true)));

        // Only documents that the expression matches must differ.
        Document partialKey = isSharded ? new Document("tenant", 1) : new Document();
        partialKey.append("code", 1);
        items.createIndex(
                partialKey,
                new IndexOptions()
                        .unique(true)
                        .name("codes")
                        .partialFilterExpression(new Document("active", true)));
        Document code = new Document("tenant", "t").append("code", 1);
        items.insertOne(new Document(code));
        items.insertOne(new Document(code).append("active", true));
        items.insertOne(new Document(code).append("active", false));
        assertRefused(11000, () -> items.insertOne(new Document(code).append("active", true)));

        items.createIndex(
                new Document("until", 1), new IndexOptions().expireAfter(1L, TimeUnit.SECONDS));
        Instant now = Instant.now();
        items.insertOne(
                new Document("_id", "past")
                        .append("tenant", "t")
                        .append("until", now.minusSeconds(3600)));
        items.insertOne(
                new Document("_id", "future")
                        .append("tenant", "t")
                        .append("until", now.plusSeconds(3600)));
        ExpiryTest.await(() -> items.find(eq("_id", "past")).first() == null);
        assertThat(items.find(eq("_id", "future")).first()).isNotNull();
        assertThat(items.listIndexes())
                .extracting(index -> index.getString("name"))
                .containsExactly("_id_", "codes", "until_1");
        assertThat(items.listIndexes())
                .filteredOn(index -> index.getString("name").equals("codes"))
                .allSatisfy(
                        index ->
                                assertThat(index)
                                        .containsEntry("unique", true)
                                        .containsEntry(
                                                "partialFilterExpression",
                                                new Document("active", true)));
    }

    @OnOneAndFivePartitions
    void aSessionHearsWhatItsLastRequestCost() {
        try (ClientSession session = Documents.client().startSession()) {
            items.insertOne(session, numbered(1));
            Document inserted = statistics(session);
            assertThat(inserted).containsEntry("CommandName", "insert");
            assertThat(inserted.getDouble("RequestCharge")).isPositive();
            assertThat(items.find(session, and(eq("_id", 1), eq("tenant", "t1"))).first())
                    .isEqualTo(numbered(1));
            Document found = statistics(session);
            assertThat(found)
                    .containsEntry("CommandName", "find")
                    .containsEntry("_t", "GetRequestStatisticsResponse");
            assertThat(found.getDouble("RequestCharge"))
                    .isPositive()
                    .isLessThan(inserted.getDouble("RequestCharge"));
            assertThat(session.getClusterTime()).isNotNull();
            assertThat(session.getOperationTime()).isNotNull();
        }
        assertThat(numbers("n", items.find())).containsExactly(1);
    }

    private static Document statistics(ClientSession session) {
        return Documents.database()
                .runCommand(session, new Document("getLastRequestStatistics", 1));
    }

    /** GridFS needs nothing but collections, of which it makes two. */
    @OnOneAndFivePartitions
    void filesAreKeptInChunks() {
        String bucketName = Documents.uniqueName();
        if (isSharded) {
            Documents.database()
                    .runCommand(
                            new Document("customAction", "CreateCollection")
                                    .append("collection", bucketName + ".chunks")
                                    .append("offerThroughput", throughput)
                                    .append("shardKey", "files_id"));
        }
        GridFSBucket bucket = GridFSBuckets.create(Documents.database(), bucketName);
        byte[] content = new byte[1_000_000];
        new Random(1).nextBytes(content);
        ObjectId id =
                bucket.uploadFromStream(
                        "photo.jpg",
                        new ByteArrayInputStream(content),
                        new GridFSUploadOptions()
                                .chunkSizeBytes(100_000)
                                .metadata(new Document("owner", "ada")));
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        bucket.downloadToStream(id, read);
        assertThat(read.toByteArray()).isEqualTo(content);
        bucket.rename(id, "picture.jpg");
        assertThat(bucket.find(eq("metadata.owner", "ada")).first().getFilename())
                .isEqualTo("picture.jpg");
        MongoCollection<Document> chunks =
                Documents.database().getCollection(bucketName + ".chunks");
        assertThat(chunks.countDocuments()).isEqualTo(10);
        assertThat(chunks.listIndexes())
                .extracting(index -> index.get("key"))
                .contains(
                        new Document(Map.of("_id", 1)), new Document("files_id", 1).append("n", 1));
        bucket.delete(id);
        assertThat(chunks.countDocuments()).isZero();
    }
}
