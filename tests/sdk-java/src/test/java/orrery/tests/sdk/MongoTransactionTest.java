package orrery.tests.sdk;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;
import static org.assertj.core.api.Assertions.assertThat;
import static orrery.tests.sdk.Documents.assertRefused;
import static orrery.tests.sdk.Documents.numbers;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Sorts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** Transactions with the unmodified {@code org.mongodb:mongodb-driver-sync}. */
@Tag("client")
@Timeout(300)
final class MongoTransactionTest {
    private static final String TRANSIENT = MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL;

    /** The shard key of all documents that belong together. */
    private static final Bson TENANT = eq("tenant", "t");

    private final boolean isSharded;
    private final MongoCollection<Document> items;

    MongoTransactionTest(int throughput) {
        this.isSharded = throughput > Cosmos.ONE;
        this.items = Documents.create(throughput);
        items.createIndex(new Document("n", 1));
        for (int i = 0; i < 4; i++) {
            items.insertOne(new Document("_id", i).append("tenant", "t").append("n", 100));
        }
    }

    private List<Integer> all() {
        return numbers("n", items.find(TENANT).sort(Sorts.ascending("_id")));
    }

    private List<Integer> seen(ClientSession session) {
        return numbers("n", items.find(session, TENANT).sort(Sorts.ascending("_id")));
    }

    private static Bson id(int id) {
        return and(TENANT, eq("_id", id));
    }

    @OnOneAndFivePartitions
    void allOfATransactionIsSeenAfterItsCommit() {
        try (ClientSession session = Documents.client().startSession()) {
            session.startTransaction(
                    TransactionOptions.builder()
                            .readConcern(ReadConcern.SNAPSHOT)
                            .writeConcern(WriteConcern.MAJORITY)
                            .build());
            items.updateOne(session, id(0), inc("n", -30));
            items.updateMany(session, and(TENANT, gte("n", 100)), inc("n", 10));
            items.insertMany(
                    session,
                    List.of(
                            new Document("_id", 8).append("tenant", "t").append("n", 1),
                            new Document("_id", 9).append("tenant", "t").append("n", 2)));
            assertThat(items.deleteOne(session, and(TENANT, eq("n", 2))).getDeletedCount())
                    .isEqualTo(1);
            assertThat(
                            items.findOneAndUpdate(session, and(TENANT, eq("n", 1)), set("n", 5))
                                    .getInteger("n"))
                    .isEqualTo(1);
            assertThat(seen(session)).containsExactly(70, 110, 110, 110, 5);
            assertThat(items.countDocuments(session, and(TENANT, eq("n", 110)))).isEqualTo(3);
            assertThat(items.distinct(session, "n", TENANT, Integer.class))
                    .containsExactlyInAnyOrder(5, 70, 110);
            assertThat(all()).containsExactly(100, 100, 100, 100);

            session.commitTransaction();
            assertThat(all()).containsExactly(70, 110, 110, 110, 5);
            session.commitTransaction();

            session.startTransaction();
            items.deleteMany(session, TENANT);
            assertThat(seen(session)).isEmpty();
            session.abortTransaction();
            assertThat(all()).containsExactly(70, 110, 110, 110, 5);
        }
    }

    @OnOneAndFivePartitions
    void aConflictIsToldAtOnce() {
        try (ClientSession session = Documents.client().startSession()) {
            session.startTransaction();
            seen(session);
            items.updateOne(id(1), inc("n", 1));
            MongoException conflict =
                    assertRefused(112, () -> items.updateOne(session, id(2), inc("n", 1)));
            assertThat(conflict.hasErrorLabel(TRANSIENT)).isTrue();
            session.abortTransaction();
            assertThat(all()).containsExactly(100, 101, 100, 100);
        }
    }

    @OnOneAndFivePartitions
    void aTransactionStaysInItsLogicalPartition() {
        try (ClientSession session = Documents.client().startSession()) {
            session.startTransaction();
            items.updateOne(session, id(1), inc("n", 1));
            MongoCollection<Document> others = Documents.create(Cosmos.ONE);
            MongoException refusal =
                    assertRefused(
                            263,
                            () ->
                                    (isSharded ? items : others)
                                            .insertOne(session, new Document("tenant", "other")));
            assertThat(refusal).hasMessageContaining("limited to one logical partition");
            assertThat(refusal.hasErrorLabel(TRANSIENT)).isFalse();
            session.abortTransaction();
            assertThat(all()).containsExactly(100, 100, 100, 100);
        }
    }

    @OnOneAndFivePartitions
    void theDriverRepeatsTransactionsThatMeet() throws Exception {
        List<Future<?>> running = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (int i = 0; i < 4; i++) {
                int from = i;
                running.add(
                        threads.submit(
                                () -> {
                                    for (int turn = 0; turn < 10; turn++) {
                                        move(from, (from + 1) % 4);
                                    }
                                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        }
        assertThat(all()).containsExactly(100, 100, 100, 100);
    }

    /** Reads both, and writes what it has computed: a lost update would change the sum. */
    private void move(int from, int to) {
        try (ClientSession session = Documents.client().startSession()) {
            session.withTransaction(
                    () -> {
                        int source = items.find(session, id(from)).first().getInteger("n");
                        int target = items.find(session, id(to)).first().getInteger("n");
                        items.updateOne(session, id(from), set("n", source - 1));
                        items.updateOne(session, id(to), set("n", target + 1));
                        return source;
                    });
        }
    }
}
