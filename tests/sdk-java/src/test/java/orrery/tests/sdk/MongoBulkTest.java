package orrery.tests.sdk;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.bulk.ClientBulkWriteOptions.clientBulkWriteOptions;
import static com.mongodb.client.model.bulk.ClientReplaceOneOptions.clientReplaceOneOptions;
import static com.mongodb.client.model.bulk.ClientUpdateOneOptions.clientUpdateOneOptions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.ClientBulkWriteException;
import com.mongodb.MongoNamespace;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.bulk.ClientBulkWriteResult;
import com.mongodb.client.model.bulk.ClientNamespacedWriteModel;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonInt32;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** Bulk writes of a client with the unmodified {@code org.mongodb:mongodb-driver-sync}. */
@Tag("client")
@Timeout(300)
final class MongoBulkTest {
    private final MongoCollection<Document> items;
    private final MongoNamespace namespace;
    private final MongoCollection<Document> log;

    MongoBulkTest(int throughput) {
        this.items = Documents.create(throughput);
        this.namespace = items.getNamespace();
        this.log =
                Documents.client()
                        .getDatabase("bulk-log")
                        .getCollection(namespace.getCollectionName());
    }

    private static Document item(int id, int n) {
        return new Document("_id", id).append("tenant", "t" + id).append("n", n);
    }

    private static Bson id(int id) {
        return and(eq("tenant", "t" + id), eq("_id", id));
    }

    private List<Document> all() {
        return items.find().sort(Sorts.ascending("_id")).into(new ArrayList<>());
    }

    @OnOneAndFivePartitions
    void writesToSeveralCollections() {
        ClientBulkWriteResult result =
                Documents.client()
                        .bulkWrite(
                                List.of(
                                        ClientNamespacedWriteModel.insertOne(namespace, item(1, 1)),
                                        ClientNamespacedWriteModel.insertOne(namespace, item(2, 2)),
                                        ClientNamespacedWriteModel.insertOne(
                                                log.getNamespace(), new Document("_id", 1)),
                                        ClientNamespacedWriteModel.updateMany(
                                                namespace, gt("n", 0), inc("n", 10)),
                                        ClientNamespacedWriteModel.replaceOne(
                                                namespace,
                                                id(3),
                                                item(3, 3),
                                                clientReplaceOneOptions().upsert(true)),
                                        ClientNamespacedWriteModel.deleteOne(namespace, id(2)),
                                        ClientNamespacedWriteModel.deleteMany(
                                                log.getNamespace(), new Document())),
                                clientBulkWriteOptions().verboseResults(true));

        assertThat(result.getInsertedCount()).isEqualTo(3);
        assertThat(result.getMatchedCount()).isEqualTo(2);
        assertThat(result.getModifiedCount()).isEqualTo(2);
        assertThat(result.getUpsertedCount()).isEqualTo(1);
        assertThat(result.getDeletedCount()).isEqualTo(2);
        ClientBulkWriteResult.VerboseResults verbose = result.getVerboseResults().orElseThrow();
        assertThat(verbose.getInsertResults())
                .hasEntrySatisfying(
                        2, made -> assertThat(made.getInsertedId()).contains(new BsonInt32(1)));
        assertThat(verbose.getUpdateResults())
                .hasEntrySatisfying(3, all -> assertThat(all.getModifiedCount()).isEqualTo(2))
                .hasEntrySatisfying(
                        4, made -> assertThat(made.getUpsertedId()).contains(new BsonInt32(3)));
        assertThat(verbose.getDeleteResults())
                .hasEntrySatisfying(6, all -> assertThat(all.getDeletedCount()).isEqualTo(1));
        assertThat(all()).containsExactly(item(1, 11), item(3, 3));
        assertThat(log.countDocuments()).isZero();
    }

    @OnOneAndFivePartitions
    void tellsWhichWritesHaveFailed() {
        List<ClientNamespacedWriteModel> models =
                List.of(
                        ClientNamespacedWriteModel.insertOne(namespace, item(1, 1)),
                        ClientNamespacedWriteModel.insertOne(namespace, item(1, 1)),
                        ClientNamespacedWriteModel.insertOne(namespace, item(2, 2)));

        ClientBulkWriteException ordered =
                catchThrowableOfType(
                        ClientBulkWriteException.class, () -> Documents.client().bulkWrite(models));
        assertThat(ordered.getWriteErrors())
                .containsOnlyKeys(1)
                .hasEntrySatisfying(1, error -> assertThat(error.getCode()).isEqualTo(11000));
        assertThat(ordered.getPartialResult().orElseThrow().getInsertedCount()).isEqualTo(1);
        ClientBulkWriteException unordered =
                catchThrowableOfType(
                        ClientBulkWriteException.class,
                        () ->
                                Documents.client()
                                        .bulkWrite(
                                                models, clientBulkWriteOptions().ordered(false)));
        assertThat(unordered.getWriteErrors()).containsOnlyKeys(0, 1);
        assertThat(all()).containsExactly(item(1, 1), item(2, 2));
    }

    @OnOneAndFivePartitions
    void isPartOfATransaction() {
        items.insertOne(item(1, 1));
        try (ClientSession session = Documents.client().startSession()) {
            session.startTransaction();
            Documents.client()
                    .bulkWrite(
                            session,
                            List.of(
                                    ClientNamespacedWriteModel.updateOne(
                                            namespace, id(1), inc("n", 1)),
                                    ClientNamespacedWriteModel.deleteMany(namespace, id(1))));
            assertThat(all()).containsExactly(item(1, 1));
            session.commitTransaction();
        }
        assertThat(all()).isEmpty();
    }

    @OnOneAndFivePartitions
    void aSortSaysWhichDocumentIsUpdated() {
        Bson tenant = eq("tenant", "t");
        for (int n : List.of(3, 1, 2)) {
            items.insertOne(new Document("_id", n).append("tenant", "t").append("n", n));
        }

        items.updateOne(tenant, set("last", true), new UpdateOptions().sort(Sorts.descending("n")));
        items.replaceOne(
                tenant,
                new Document("tenant", "t").append("n", 1).append("first", true),
                new ReplaceOptions().sort(Sorts.ascending("n")));
        Documents.client()
                .bulkWrite(
                        List.of(
                                ClientNamespacedWriteModel.updateOne(
                                        namespace,
                                        and(tenant, gt("n", 1)),
                                        set("middle", true),
                                        clientUpdateOneOptions().sort(Sorts.ascending("n")))));

        assertThat(all())
                .extracting(Document::toJson)
                .containsExactly(
                        "{\"_id\": 1, \"tenant\": \"t\", \"n\": 1, \"first\": true}",
                        "{\"_id\": 2, \"tenant\": \"t\", \"n\": 2, \"middle\": true}",
                        "{\"_id\": 3, \"tenant\": \"t\", \"n\": 3, \"last\": true}");
    }
}
