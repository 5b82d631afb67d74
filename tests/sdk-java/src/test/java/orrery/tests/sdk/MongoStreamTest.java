package orrery.tests.sdk;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.set;
import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Documents.assertRefused;

import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import com.mongodb.client.model.changestream.FullDocument;
import com.mongodb.client.model.changestream.FullDocumentBeforeChange;
import com.mongodb.client.model.changestream.OperationType;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** Change streams with the unmodified {@code org.mongodb:mongodb-driver-sync}. */
@Tag("client")
@Timeout(300)
final class MongoStreamTest {
    private static final Bson TENANT = eq("tenant", "t");

    private final MongoCollection<Document> items;

    MongoStreamTest(int throughput) {
        this.items = Documents.create(throughput);
    }

    private static Bson id(int id) {
        return and(TENANT, eq("_id", id));
    }

    private static List<ChangeStreamDocument<Document>> take(
            MongoChangeStreamCursor<ChangeStreamDocument<Document>> stream, int count) {
        List<ChangeStreamDocument<Document>> events = new ArrayList<>();
        while (events.size() < count) {
            events.add(stream.next());
        }
        return events;
    }

    private void writeAll() {
        items.insertOne(new Document("_id", 1).append("tenant", "t").append("n", 1));
        items.updateOne(id(1), set("n", 2));
        items.replaceOne(id(1), new Document("tenant", "t").append("n", 3));
        items.deleteOne(id(1));
    }

    @OnOneAndFivePartitions
    void eachWriteIsToldAndAnyEventIsAPlaceToGoOn() {
        try (var stream =
                items.watch()
                        .fullDocument(FullDocument.UPDATE_LOOKUP)
                        .fullDocumentBeforeChange(FullDocumentBeforeChange.REQUIRED)
                        .cursor()) {
            writeAll();
            List<ChangeStreamDocument<Document>> events = take(stream, 4);

            assertThat(events)
                    .extracting(ChangeStreamDocument::getOperationType)
                    .containsExactly(
                            OperationType.INSERT,
                            OperationType.UPDATE,
                            OperationType.REPLACE,
                            OperationType.DELETE);
            assertThat(events.get(1).getUpdateDescription().getUpdatedFields())
                    .isEqualTo(BsonDocument.parse("{n: 2}"));
            assertThat(events.get(3).getFullDocumentBeforeChange().getInteger("n")).isEqualTo(3);

            try (var resumed = items.watch().resumeAfter(events.get(1).getResumeToken()).cursor()) {
                assertThat(take(resumed, 2))
                        .extracting(ChangeStreamDocument::getOperationType)
                        .containsExactly(OperationType.REPLACE, OperationType.DELETE);
            }
        }
    }

    @OnOneAndFivePartitions
    void stagesChooseAndTheServerRefusesOthers() {
        try (var stream =
                items.watch(List.of(Aggregates.match(eq("operationType", "delete")))).cursor()) {
            writeAll();
            assertThat(take(stream, 1).getFirst().getDocumentKey().getInt32("_id").getValue())
                    .isEqualTo(1);
        }
        assertRefused(20, () -> items.watch(List.of(Aggregates.limit(1))).cursor());
        assertRefused(
                260,
                () ->
                        items.watch()
                                .resumeAfter(new BsonDocument("_data", new BsonString("none")))
                                .cursor());
    }
}
