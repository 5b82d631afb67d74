package orrery.tests.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bson.Document;

/**
 * The MongoDB API of a server that conformance classes share, and what their tests need. The server
 * does not throttle: MongoDB's drivers do not wait for a busy partition.
 */
final class Documents {
    private static final AtomicInteger NAMES = new AtomicInteger();

    private Documents() {}

    /** Made when a test first asks. */
    private static final class Shared {
        static final RunningServer SERVER = RunningServer.start("--no-throttling");
        static final MongoClient CLIENT = connect(SERVER);
    }

    static RunningServer server() {
        return Shared.SERVER;
    }

    static MongoDatabase database() {
        return Shared.CLIENT.getDatabase("shop");
    }

    static MongoClient client() {
        return Shared.CLIENT;
    }

    /** A client with the connection string that the server prints. */
    static MongoClient connect(RunningServer server) {
        return MongoClients.create(settings(server).build());
    }

    /** The driver leaves the option {@code tlsCAFile} to its user: it trusts what the JVM does. */
    static MongoClientSettings.Builder settings(RunningServer server) {
        return MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(server.mongoConnectionString()))
                .applyToSslSettings(ssl -> ssl.context(Trust.context()));
    }

    static String uniqueName() {
        return "c" + NAMES.incrementAndGet();
    }

    /** A new collection; one with several partitions is sharded by {@code tenant}. */
    static MongoCollection<Document> create(int throughput) {
        String name = uniqueName();
        Document command =
                new Document("customAction", "CreateCollection")
                        .append("collection", name)
                        .append("offerThroughput", throughput);
        if (throughput > Cosmos.ONE) {
            command.append("shardKey", "tenant");
        }
        database().runCommand(command);
        return database().getCollection(name);
    }

    /** A few tenants, and a number for each document. */
    static Document numbered(int number) {
        return new Document("_id", number)
                .append("tenant", "t" + number % 7)
                .append("n", number)
                .append("odd", number % 2 == 1);
    }

    static List<Document> numbered(int first, int end) {
        return IntStream.range(first, end).mapToObj(Documents::numbered).toList();
    }

    /** The whole numbers in a field of all documents. */
    static List<Integer> numbers(String field, Iterable<Document> documents) {
        return StreamSupport.stream(documents.spliterator(), false)
                .map(document -> document.getInteger(field))
                .toList();
    }

    /** The exception of a call that the server refuses with this code. */
    static MongoException assertRefused(int code, ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        assertThat(thrown).as("expected %s", code).isInstanceOf(MongoException.class);
        MongoException refusal = (MongoException) thrown;
        assertThat(refusal.getCode()).as(refusal.getMessage()).isEqualTo(code);
        return refusal;
    }
}
