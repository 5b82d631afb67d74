package orrery.bench;

import com.mongodb.client.MongoCollection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.bson.Document;
import orrery.bench.process.ProcessFigures;

/**
 * Aggregation pipelines through the unmodified Java driver, against mongo-java-server; and one
 * group over many documents, with what it adds to the memory of the server.
 */
final class MongoPipelines implements Measurement {
    /** Documents that the short pipelines find. */
    private static final int LOADED = 10_000;

    private static final int CLIENTS = 4;
    private static final int KINDS = 100;
    private static final double HALF = 0.5;
    private static final String FILL = "f".repeat(200);

    /** One pipeline, and the number of results that it has. */
    private enum Kind {
        GROUP(
                "$group of all 10,000 documents",
                "{$group: {_id: '$kind', sum: {$sum: '$price'}, average: {$avg: '$n'}}}",
                KINDS),
        MATCH_GROUP(
                "$match by an index and $group, 1,000 of 10,000 documents",
                "{$match: {n: {$gte: 4000, $lt: 5000}}},"
                        + "{$group: {_id: '$kind', sum: {$sum: '$price'}, count: {$sum: 1}}}",
                KINDS),
        SORT_LIMIT(
                "$sort without an index, $limit 10, $project, 10,000 documents",
                "{$sort: {price: -1}}, {$limit: 10}, {$project: {name: 1, price: 1}}",
                10),
        UNWIND(
                "$unwind and $sortByCount of 10,000 documents",
                "{$unwind: '$tags'}, {$sortByCount: '$tags'}",
                2),
        LOOKUP(
                "$lookup by an index for 100 of 10,000 documents",
                "{$match: {n: {$lt: 100}}},"
                        + "{$lookup: {from: 'items', localField: 'other', foreignField: 'n',"
                        + " as: 'others'}}",
                100);

        private final String title;
        private final String stages;
        private final int results;

        Kind(String title, String stages, int results) {
            this.title = title;
            this.stages = stages;
            this.results = results;
        }
    }

    private static List<Document> stages(String stages) {
        return Document.parse("{stages: [" + stages + "]}").getList("stages", Document.class);
    }

    @Override
    public String name() {
        return "pipelines";
    }

    @Override
    public List<Row> run(Bench bench) throws Exception {
        List<Row> rows = new ArrayList<>();
        Path file = bench.fresh("pipelines-h2");
        try (BenchServer orrery = new BenchServer(bench, name());
                MongoPeer memory = MongoPeer.start(MongoPeer.Storage.MEMORY, file);
                MongoHandle own = MongoHandle.of(orrery);
                MongoHandle peer = MongoHandle.of(memory)) {
            for (MongoHandle server : List.of(own, peer)) {
                MongoCollection<Document> items = server.collection("items");
                items.createIndex(new Document("n", 1));
                MongoHandle.fill(items, LOADED, MongoPipelines::document);
            }
            for (Kind kind : Kind.values()) {
                rows.add(compare(bench, kind, own, peer));
            }
            rows.addAll(large(bench, own, peer));
        }
        return rows;
    }

    private static Document document(int number) {
        return new Document("_id", number)
                .append("n", number)
                .append("other", LOADED - 1 - number)
                .append("kind", number % KINDS)
                .append("name", "name-" + number)
                .append("price", number * 1.5)
                .append("tags", List.of("one", "two"))
                .append("fill", FILL);
    }

    private Row compare(Bench bench, Kind kind, MongoHandle own, MongoHandle peer)
            throws Exception {
        List<Rounds.Score> scores =
                bench.rounds()
                        .run(
                                List.of(new Load(own, kind), new Load(peer, kind)),
                                new Progress(name() + ", " + kind.title));
        return new Row(
                name(),
                kind.title,
                scores.getFirst().perSecond(),
                Row.Unit.PER_SECOND,
                Optional.of(new Row.Peer(peer.name(), scores.getLast().perSecond())),
                Optional.of(new Row.Target.RatioAtLeast(HALF)),
                String.format(Locale.ROOT, "%s; %s", scores.getFirst(), scores.getLast()));
    }

    /** One pass over many documents: its time, and the memory that the server takes for it. */
    private List<Row> large(Bench bench, MongoHandle own, MongoHandle peer) throws Exception {
        int count = bench.isQuick() ? 100_000 : 1_000_000;
        Progress progress = new Progress(name());
        for (MongoHandle server : List.of(own, peer)) {
            progress.say("filling %s with %,d documents".formatted(server.name(), count));
            MongoHandle.fill(server.collection("large"), count, MongoPipelines::document);
        }
        List<Document> stages =
                stages(
                        "{$match: {price: {$gte: %d}}},".formatted(count / 4)
                                + "{$group: {_id: '$kind', sum: {$sum: '$n'},"
                                + " average: {$avg: '$price'}}}");
        pass(own, stages);
        pass(peer, stages);
        IdleDisk.await();
        double before = ProcessFigures.residentMegabytes(own.process());
        double[] ours = new double[3];
        double[] theirs = new double[3];
        for (int round = 0; round < ours.length; round++) {
            ours[round] = 1 / pass(own, stages);
            theirs[round] = 1 / pass(peer, stages);
        }
        double added = ProcessFigures.residentMegabytes(own.process()) - before;
        double rate = Rounds.median(ours);
        double peerRate = Rounds.median(theirs);
        String what =
                String.format(
                        Locale.ROOT, "$match of five sixths and $group over %,d documents", count);
        return List.of(
                new Row(
                        name(),
                        what + ", documents",
                        count * rate,
                        Row.Unit.PER_SECOND,
                        Optional.of(new Row.Peer(peer.name(), count * peerRate)),
                        Optional.of(new Row.Target.RatioAtLeast(HALF)),
                        String.format(
                                Locale.ROOT,
                                "%.2f s, %s %.2f s",
                                1 / rate,
                                peer.name(),
                                1 / peerRate)),
                new Row(
                        name(),
                        what + ", resident memory that three of them add",
                        added,
                        Row.Unit.MEGABYTES,
                        Optional.empty(),
                        Optional.empty(),
                        String.format(Locale.ROOT, "%.0f MB before", before)));
    }

    /** Returns seconds. */
    private static double pass(MongoHandle server, List<Document> stages) {
        long start = System.nanoTime();
        require(
                server,
                server.collection("large").aggregate(stages).into(new ArrayList<>()).size(),
                KINDS);
        return (System.nanoTime() - start) / 1e9;
    }

    private static void require(MongoHandle server, int results, int wanted) {
        if (results != wanted) {
            throw new IllegalStateException(
                    server.name() + " has " + results + " results instead of " + wanted);
        }
    }

    private record Load(MongoHandle server, Kind kind) implements Rounds.Contestant {
        @Override
        public String name() {
            return server.name();
        }

        @Override
        public ProcessHandle process() {
            return server.process();
        }

        @Override
        public double run(double seconds) throws InterruptedException {
            MongoCollection<Document> items = server.collection("items");
            List<Document> stages = stages(kind.stages);
            return Clients.run(
                    CLIENTS,
                    Thread.ofPlatform().factory(),
                    seconds,
                    () ->
                            require(
                                    server,
                                    items.aggregate(stages).into(new ArrayList<>()).size(),
                                    kind.results));
        }
    }
}
