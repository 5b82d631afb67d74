package orrery.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongFunction;
import orrery.bench.load.LoadGenerator;
import orrery.bench.load.LoadResult;
import orrery.bench.load.LoadSpec;
import orrery.bench.load.SqlCaller;
import orrery.bench.load.TableMessages;
import orrery.bench.process.ProcessFigures;

/**
 * The Table API against Azurite: the same load generator sends the same bytes to both. The SDK for
 * JavaScript would be the slowest part of it.
 */
final class Entities implements Measurement {
    private static final double TARGET = 10;

    /** Entities before anything is measured. */
    private static final int LOADED = 10_000;

    @Override
    public String name() {
        return "table";
    }

    @Override
    public List<Row> run(Bench bench) throws Exception {
        List<Row> rows = new ArrayList<>();
        try (BenchServer server = new BenchServer(bench, name());
                Azurite azurite = Azurite.start(bench)) {
            Server own = new Server("Orrery", server.handle(), server.tablePort());
            Server peer = new Server("Azurite", azurite.handle(), azurite.port());
            try (SqlCaller caller = new SqlCaller(own.port)) {
                caller.expect(201, new TableMessages(own.port).createTable());
            }
            own.fill();
            peer.fill();
            rows.add(compare(bench, "point reads", own, peer, LoadSpec.Kind.TABLE_READ));
            rows.add(
                    compare(
                            bench,
                            "filter queries, 10 of 100 entities",
                            own,
                            peer,
                            LoadSpec.Kind.TABLE_QUERY));
            rows.add(compare(bench, "inserts", own, peer, LoadSpec.Kind.TABLE_INSERT));
            rows.add(
                    compare(
                            bench,
                            "inserts in batches of " + LoadSpec.BATCH,
                            own,
                            peer,
                            LoadSpec.Kind.TABLE_BATCH));
        }
        return rows;
    }

    private Row compare(Bench bench, String what, Server own, Server peer, LoadSpec.Kind kind)
            throws Exception {
        Load ownLoad = new Load(own, kind, bench.load());
        Load peerLoad = new Load(peer, kind, bench.load());
        List<Rounds.Score> scores =
                bench.rounds().run(List.of(ownLoad, peerLoad), new Progress(name() + ", " + what));
        return new Row(
                name(),
                what,
                scores.getFirst().perSecond(),
                Row.Unit.PER_SECOND,
                Optional.of(new Row.Peer("Azurite", scores.getLast().perSecond())),
                Optional.of(new Row.Target.RatioAtLeast(TARGET)),
                String.format(
                        Locale.ROOT,
                        "%s (client %.1f µs); %s (client %.1f µs)",
                        scores.getFirst(),
                        ownLoad.clientMicros(),
                        scores.getLast(),
                        peerLoad.clientMicros()));
    }

    /** One of the two. */
    private static final class Server {
        private final String name;
        private final ProcessHandle process;
        private final int port;
        private long next;

        Server(String name, ProcessHandle process, int port) {
            this.name = name;
            this.process = process;
            this.port = port;
        }

        void fill() throws IOException {
            LongFunction<byte[]> batches = new TableMessages(port).batches(TableMessages.ROWS);
            try (SqlCaller caller = new SqlCaller(port)) {
                for (; next < LOADED; next += TableMessages.ROWS) {
                    caller.expect(202, batches.apply(next));
                }
            }
        }
    }

    private static final class Load implements Rounds.Contestant {
        private final Server server;
        private final LoadSpec.Kind kind;
        private final LoadGenerator client;
        private final int entities;
        private double clientNanos;
        private double operations;

        Load(Server server, LoadSpec.Kind kind, LoadGenerator client) {
            this.server = server;
            this.kind = kind;
            this.client = client;
            this.entities = kind == LoadSpec.Kind.TABLE_BATCH ? LoadSpec.BATCH : 1;
        }

        @Override
        public String name() {
            return server.name;
        }

        @Override
        public ProcessHandle process() {
            return server.process;
        }

        @Override
        public double run(double seconds) throws IOException {
            long before = ProcessFigures.cpu(client.handle()).toNanos();
            LoadResult result =
                    client.run(
                            new LoadSpec(
                                    kind,
                                    server.port,
                                    "",
                                    Bench.CLIENTS,
                                    seconds,
                                    0,
                                    isWrite() ? server.next : LOADED));
            if (isWrite()) {
                // All entities of a batch have one key, so the next one begins at a multiple.
                long end = server.next + result.sent() * entities + TableMessages.ROWS - 1;
                server.next = end / TableMessages.ROWS * TableMessages.ROWS;
            }
            clientNanos += ProcessFigures.cpu(client.handle()).toNanos() - before;
            operations += (double) result.answered() * entities;
            return entities * result.perSecond();
        }

        private boolean isWrite() {
            return kind == LoadSpec.Kind.TABLE_INSERT || kind == LoadSpec.Kind.TABLE_BATCH;
        }

        /** The CPU time of the client for each operation, what prepares its messages included. */
        double clientMicros() {
            return clientNanos / 1000 / Math.max(1, operations);
        }
    }
}
