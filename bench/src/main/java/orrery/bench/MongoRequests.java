package orrery.bench;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * The MongoDB API against mongo-java-server: the unmodified Java driver sends the same commands to
 * all. Orrery has written to its disk before it answers; of the peers one keeps everything in
 * memory, and the other writes in the background.
 */
final class MongoRequests implements Measurement {
    /** Documents before anything is measured. */
    private static final int LOADED = 10_000;

    /** Documents with the same value of the index. */
    private static final int ALIKE = 10;

    private static final String FILL = "f".repeat(200);
    private static final double AHEAD = 1;
    private static final double HALF = 0.5;

    /** One kind of requests. */
    private enum Kind {
        INSERT("inserts", true) {
            @Override
            void run(Server server) {
                server.inserted.insertOne(document(server.next.getAndIncrement()));
            }
        },
        FIND("finds by _id", true) {
            @Override
            void run(Server server) {
                server.require(server.items.find(Filters.eq("_id", anyLoaded())).first());
            }
        },
        INDEXED("finds by an index, " + ALIKE + " documents", false) {
            @Override
            void run(Server server) {
                int value = anyLoaded() / ALIKE;
                List<Document> found =
                        server.items.find(Filters.eq("n", value)).into(new ArrayList<>());
                if (found.size() != ALIKE) {
                    throw new IllegalStateException(
                            server.handle.name() + " finds " + found.size());
                }
            }
        },
        UPDATE("updates by _id", true) {
            @Override
            void run(Server server) {
                server.items.updateOne(Filters.eq("_id", anyLoaded()), Updates.inc("count", 1));
            }
        };

        private final String title;
        private final boolean isPoint;

        Kind(String title, boolean isPoint) {
            this.title = title;
            this.isPoint = isPoint;
        }

        abstract void run(Server server);
    }

    @Override
    public String name() {
        return "mongo";
    }

    @Override
    public List<Row> run(Bench bench) throws Exception {
        List<Row> rows = new ArrayList<>();
        // The peers do not get back what millions of inserts took, so nothing else follows these.
        rows.addAll(run(bench, List.of(Kind.FIND, Kind.INDEXED, Kind.UPDATE)));
        rows.addAll(run(bench, List.of(Kind.INSERT)));
        return rows;
    }

    private List<Row> run(Bench bench, List<Kind> kinds) throws Exception {
        List<Row> rows = new ArrayList<>();
        Path file = bench.fresh("mongo-h2");
        try (BenchServer orrery = new BenchServer(bench, name());
                MongoPeer memory = MongoPeer.start(MongoPeer.Storage.MEMORY, file);
                MongoPeer h2 = MongoPeer.start(MongoPeer.Storage.H2, file);
                Server own = new Server(MongoHandle.of(orrery));
                Server inMemory = new Server(MongoHandle.of(memory));
                Server onDisk = new Server(MongoHandle.of(h2))) {
            List<Server> servers = List.of(own, onDisk, inMemory);
            servers.forEach(Server::fill);
            for (Kind kind : kinds) {
                List<Load> loads = servers.stream().map(server -> new Load(server, kind)).toList();
                List<Rounds.Score> scores =
                        bench.rounds().run(loads, new Progress(name() + ", " + kind.title));
                rows.add(row(kind, scores, scores.get(1), Optional.of(AHEAD)));
                rows.add(
                        row(
                                kind,
                                scores,
                                scores.get(2),
                                kind.isPoint ? Optional.of(HALF) : Optional.empty()));
            }
        } finally {
            Bench.delete(file);
        }
        return rows;
    }

    private Row row(
            Kind kind, List<Rounds.Score> scores, Rounds.Score peer, Optional<Double> target) {
        return new Row(
                name(),
                kind.title,
                scores.getFirst().perSecond(),
                Row.Unit.PER_SECOND,
                Optional.of(new Row.Peer(peer.name(), peer.perSecond())),
                target.map(Row.Target.RatioAtLeast::new),
                String.format(Locale.ROOT, "%s; %s", scores.getFirst(), peer));
    }

    private static int anyLoaded() {
        return ThreadLocalRandom.current().nextInt(LOADED);
    }

    private static Document document(int number) {
        return new Document("_id", number)
                .append("n", number / ALIKE)
                .append("name", "name-" + number)
                .append("count", 0)
                .append("price", number * 1.5)
                .append("tags", List.of("one", "two"))
                .append("fill", FILL);
    }

    /**
     * The collections of a server. Inserts go to one of their own: peers look at all documents of a
     * collection where an index has a value more than once, and would find more of them the more
     * they had inserted before. Each round of inserts begins with an empty one.
     */
    private static final class Server implements AutoCloseable {
        private final MongoHandle handle;
        private final MongoCollection<Document> items;
        private final MongoCollection<Document> inserted;
        private final AtomicInteger next = new AtomicInteger(LOADED);

        Server(MongoHandle handle) {
            this.handle = handle;
            this.items = handle.collection("items");
            this.inserted = handle.collection("inserted");
        }

        void fill() {
            items.createIndex(new Document("n", 1));
            MongoHandle.fill(items, LOADED, MongoRequests::document);
        }

        /**
         * Makes room for the inserts of a round. The peer that keeps all of them in memory would
         * come to a standstill after a few million.
         */
        void dropInserted() {
            inserted.drop();
            inserted.createIndex(new Document("n", 1));
        }

        void require(@Nullable Document found) {
            if (found == null) {
                throw new IllegalStateException(handle.name() + " does not find a document");
            }
        }

        @Override
        public void close() {
            handle.close();
        }
    }

    private record Load(Server server, Kind kind) implements Rounds.Contestant {
        @Override
        public String name() {
            return server.handle.name();
        }

        @Override
        public ProcessHandle process() {
            return server.handle.process();
        }

        @Override
        public double run(double seconds) throws InterruptedException {
            if (kind == Kind.INSERT) {
                server.dropInserted();
            }
            return Clients.run(
                    Bench.CLIENTS, Thread.ofPlatform().factory(), seconds, () -> kind.run(server));
        }
    }
}
