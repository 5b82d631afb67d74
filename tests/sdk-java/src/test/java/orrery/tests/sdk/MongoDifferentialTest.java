package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.ServerVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The same commands go to mongo-java-server and to Orrery. Each difference is a fault, or stands in
 * {@link MongoDifferences} with its reason.
 */
@Tag("client")
@Timeout(600)
final class MongoDifferentialTest {
    /** A report shows no more: one fault has many cases. */
    private static final int SHOWN = 60;

    private static final BsonDocument ALL_UPDATED =
            BsonDocument.parse("{find: 'updated', sort: {_id: 1}}");

    private static final MongoServer PEER =
            new MongoServer(new MemoryBackend().version(ServerVersion.MONGO_5_0));

    private static MongoClient theirs;
    private static MongoDatabase ours;
    private static MongoDatabase peer;

    private final List<String> faults = new ArrayList<>();

    @BeforeAll
    static void connect() {
        theirs = MongoClients.create(PEER.bindAndGetConnectionString());
        peer = theirs.getDatabase("differential");
        ours = Documents.client().getDatabase("differential");
        insert("items", MongoCases.documents());
        insert("sorted", MongoCases.sortedDocuments());
        // Both have to keep the documents as they are, or all else says nothing.
        assertThat(difference(BsonDocument.parse("{find: 'items', sort: {_id: 1}}"))).isEmpty();
    }

    @AfterAll
    static void close() {
        theirs.close();
        PEER.shutdownNow();
    }

    private static void insert(String collection, List<BsonDocument> documents) {
        BsonDocument command =
                new BsonDocument("insert", new BsonString(collection))
                        .append("documents", new BsonArray(documents));
        assertThat(difference(command)).isEmpty();
    }

    /** Both answers, if they differ and nothing explains it. */
    private static List<String> difference(BsonDocument command) {
        MongoAnswer first = MongoAnswer.of(peer, command);
        MongoAnswer second = MongoAnswer.of(ours, command);
        boolean isExplained =
                first.toString().equals(second.toString())
                        || MongoDifferences.explain(command, first, second);
        return isExplained
                ? List.of()
                : List.of(command.toJson(), "  peer:    " + first, "  Orrery:  " + second);
    }

    private void compare(BsonDocument command) {
        faults.addAll(difference(command));
    }

    /** All of them at once: each reason for a difference has to be needed by one of them. */
    @Test
    void bothAnswerTheSame() {
        MongoCases.filters().forEach(this::compare);
        MongoCases.sortsAndProjections().forEach(this::compare);
        MongoCases.updates().forEach(this::update);
        MongoCases.commands().forEach(this::compare);
        assertThat(faults.size() / 3)
                .as(String.join("\n", faults.subList(0, Math.min(faults.size(), SHOWN))))
                .isZero();
        assertThat(MongoDifferences.unused()).isEmpty();
    }

    private void update(BsonDocument update) {
        for (MongoDatabase each : List.of(peer, ours)) {
            each.getCollection("updated").deleteMany(new BsonDocument());
        }
        insert("updated", MongoCases.changedDocuments());
        BsonDocument command = MongoCases.updateEach(update);
        MongoAnswer first = MongoAnswer.of(peer, command);
        MongoAnswer second = MongoAnswer.of(ours, command);
        compareUpdated(update, first, second);
    }

    /** Each document by itself: it was changed alike, or refused with the same code. */
    private void compareUpdated(BsonDocument update, MongoAnswer first, MongoAnswer second) {
        MongoAnswer theirs = MongoAnswer.of(peer, ALL_UPDATED);
        MongoAnswer ours = MongoAnswer.of(MongoDifferentialTest.ours, ALL_UPDATED);
        Set<Integer> differing = MongoAnswer.differing(theirs, ours);
        for (int i = 0; i <= MongoCases.lastChanged(); i++) {
            String one = outcome(first.errors().get(i), theirs.documents().get(i));
            String other = outcome(second.errors().get(i), ours.documents().get(i));
            boolean isSame = one.equals(other) && !differing.contains(i);
            if (!isSame && !MongoDifferences.explainUpdate(update, i, one, other)) {
                faults.add(update.toJson() + " of document " + i);
                faults.add("  peer:    " + one);
                faults.add("  Orrery:  " + other);
            }
        }
    }

    private static String outcome(@Nullable Integer code, @Nullable BsonDocument document) {
        return code == null ? String.valueOf(document) : "code " + code;
    }
}
