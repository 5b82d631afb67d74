package orrery.bench;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.bson.Document;
import orrery.model.security.AccountKeys;

/** A server that speaks MongoDB's protocol, and the unmodified driver's client of it. */
record MongoHandle(String name, ProcessHandle process, MongoClient client)
        implements AutoCloseable {
    private static final int AT_ONCE = 1000;

    /** Without TLS, which the peers lack. All else is as drivers have it by default. */
    static MongoHandle of(BenchServer server) {
        return new MongoHandle(
                "Orrery",
                server.handle(),
                MongoClients.create(
                        "mongodb://localhost:"
                                + URLEncoder.encode(
                                        AccountKeys.WELL_KNOWN_KEY, StandardCharsets.UTF_8)
                                + "@127.0.0.1:"
                                + server.mongoPort()
                                + "/?directConnection=true"));
    }

    static MongoHandle of(MongoPeer peer) {
        return new MongoHandle(
                peer.title(), peer.handle(), MongoClients.create(peer.connectionString()));
    }

    MongoCollection<Document> collection(String collection) {
        return client.getDatabase("bench").getCollection(collection);
    }

    /** Inserts documents with the numbers from 0. */
    static void fill(
            MongoCollection<Document> collection, int count, IntFunction<Document> document) {
        for (int i = 0; i < count; i += AT_ONCE) {
            collection.insertMany(
                    IntStream.range(i, Math.min(i + AT_ONCE, count)).mapToObj(document).toList());
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
