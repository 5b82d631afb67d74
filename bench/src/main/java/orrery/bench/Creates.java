package orrery.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import orrery.bench.load.LoadSpec;
import orrery.model.IndexingPolicy;

/**
 * Durable creates of 1 KB items by 64 clients, at the engine's door and over HTTP, against RocksDB
 * doing as many synced writes as it can.
 */
final class Creates implements Measurement {
    /** The indexing of a container, which decides what the peer has to write. */
    enum Indexing {
        /** The peer writes one row per item: the item itself. */
        NONE,
        /** The peer writes as many rows per item as the engine does. */
        FULL
    }

    private static final double TARGET = 0.60;
    private static final int PROBES = 64;
    private static final String CONTAINER = "creates";
    private static final ThreadFactory CALLERS = Thread.ofVirtual().factory();
    private static final IndexingPolicy NOTHING =
            new IndexingPolicy(
                    IndexingPolicy.Mode.NONE, false, List.of(), List.of(), List.of(), List.of());

    private final Indexing indexing;

    Creates(Indexing indexing) {
        this.indexing = indexing;
    }

    @Override
    public String name() {
        return switch (indexing) {
            case NONE -> "creates";
            case FULL -> "indexed";
        };
    }

    @Override
    public List<Row> run(Bench bench) throws Exception {
        Path engineData = bench.fresh(name() + "-engine");
        Path rawData = bench.fresh(name() + "-raw");
        IndexingPolicy policy = indexing == Indexing.NONE ? NOTHING : IndexingPolicy.DEFAULT;
        try (LocalEngine engine = new LocalEngine(engineData, policy)) {
            for (int i = 0; i < PROBES; i++) {
                engine.create(i);
            }
            ItemRows all = ItemRows.of(engine.store(), engine.containerNumber(), PROBES);
            ItemRows peer = indexing == Indexing.NONE ? all.withoutCompanions() : all;
            try (RawStore raw = new RawStore(rawData, peer);
                    BenchServer server = new BenchServer(bench, name() + "-server")) {
                server.createContainer(
                        CONTAINER,
                        indexing == Indexing.NONE ? BenchServer.NO_INDEX : BenchServer.FULL_INDEX);
                return measure(bench, engine, raw, server, all, peer);
            }
        } finally {
            Bench.delete(engineData);
            Bench.delete(rawData);
        }
    }

    private List<Row> measure(
            Bench bench,
            LocalEngine engine,
            RawStore raw,
            BenchServer server,
            ItemRows all,
            ItemRows peer)
            throws Exception {
        AtDoor door = new AtDoor(engine);
        LoadedServer http =
                new LoadedServer(
                        "HTTP",
                        server.handle(),
                        bench.load(),
                        LoadSpec.Kind.CREATE,
                        server.port(),
                        CONTAINER,
                        0);
        List<Rounds.Score> scores =
                bench.rounds().run(List.of(door, http, raw), new Progress(name()));
        door.check();
        String rows =
                "; rows per item "
                        + all.count()
                        + " ("
                        + all.bytes()
                        + " bytes), of the peer "
                        + peer.count()
                        + " ("
                        + peer.bytes()
                        + " bytes)";
        return List.of(
                row("engine door", scores.get(0), scores.get(2), rows),
                row("HTTP", scores.get(1), scores.get(2), rows));
    }

    private Row row(String where, Rounds.Score own, Rounds.Score raw, String rows) {
        return new Row(
                name(),
                "creates, "
                        + (indexing == Indexing.NONE ? "indexing none" : "full indexing")
                        + ", "
                        + where,
                own.perSecond(),
                Row.Unit.PER_SECOND,
                Optional.of(new Row.Peer(raw.name(), raw.perSecond())),
                Optional.of(new Row.Target.RatioAtLeast(TARGET)),
                own + "; " + raw + rows);
    }

    /** Virtual threads that call the engine in this process. */
    private static final class AtDoor implements Rounds.Contestant {
        private final LocalEngine engine;
        private final AtomicLong next = new AtomicLong(PROBES);

        AtDoor(LocalEngine engine) {
            this.engine = engine;
        }

        @Override
        public String name() {
            return "engine door";
        }

        @Override
        public ProcessHandle process() {
            return ProcessHandle.current();
        }

        @Override
        public double run(double seconds) throws InterruptedException {
            return Clients.run(
                    Bench.CLIENTS, CALLERS, seconds, () -> engine.create(next.getAndIncrement()));
        }

        /** Every create that returned is there, or the rate is worth nothing. */
        void check() {
            long found = engine.countItems();
            if (found != next.get()) {
                throw new IllegalStateException(
                        next.get() + " items were created and " + found + " are there");
            }
        }
    }
}
