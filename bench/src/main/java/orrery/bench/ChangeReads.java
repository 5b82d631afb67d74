package orrery.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import orrery.model.Bytes;
import orrery.model.IndexingPolicy;
import orrery.storage.Cursor;
import orrery.storage.ReplicaStore;
import orrery.storage.Table;
import orrery.storage.format.Keys;

/**
 * The changes of a container read from their beginning by one reader, at the engine's door, against
 * a scan over the rows of the same items. The scan finds them side by side, in the order of their
 * keys; the reader of changes has to look up each, as they were written in another order.
 */
final class ChangeReads implements Measurement {
    private static final int PAGE = 1000;
    private static final int WRITERS = 64;
    private static final ThreadFactory THREADS = Thread.ofVirtual().name("writer-", 0).factory();

    @Override
    public String name() {
        return "changes";
    }

    @Override
    public List<Row> run(Bench bench) throws Exception {
        Path directory = bench.fresh("changes");
        Files.createDirectories(directory);
        try (LocalEngine engine = new LocalEngine(directory, IndexingPolicy.DEFAULT)) {
            new Progress(name()).say("creating items");
            AtomicLong next = new AtomicLong();
            Clients.run(
                    WRITERS,
                    THREADS,
                    bench.isQuick() ? 5 : 30,
                    () -> engine.create(next.getAndIncrement()));
            List<Rounds.Score> scores =
                    bench.rounds()
                            .run(List.of(new Feed(engine), new Scan(engine)), new Progress(name()));
            Rounds.Score feed = scores.getFirst();
            Rounds.Score scan = scores.getLast();
            return List.of(
                    new Row(
                            name(),
                            "change feed, items",
                            feed.perSecond(),
                            Row.Unit.PER_SECOND,
                            Optional.of(new Row.Peer(scan.name(), scan.perSecond())),
                            Optional.empty(),
                            engine.countItems() + " items; " + feed + "; " + scan));
        } finally {
            Bench.delete(directory);
        }
    }

    /** Reads all there is and begins again. */
    private abstract static class Reader implements Rounds.Contestant {
        @Override
        public ProcessHandle process() {
            return ProcessHandle.current();
        }

        @Override
        public double run(double seconds) {
            long start = System.nanoTime();
            long end = start + (long) (seconds * 1e9);
            long items = 0;
            while (System.nanoTime() < end) {
                items += readSome();
            }
            return items * 1e9 / (System.nanoTime() - start);
        }

        /** Returns how many items were read. */
        abstract long readSome();
    }

    private static final class Feed extends Reader {
        private final LocalEngine engine;
        private Optional<String> continuation = Optional.empty();

        Feed(LocalEngine engine) {
            this.engine = engine;
        }

        @Override
        public String name() {
            return "change feed";
        }

        @Override
        long readSome() {
            LocalEngine.Changes page = engine.readChanges(continuation, PAGE);
            continuation = page.items() == 0 ? Optional.empty() : Optional.of(page.continuation());
            return page.items();
        }
    }

    private static final class Scan extends Reader {
        private final ReplicaStore store;
        private final int container;

        Scan(LocalEngine engine) {
            this.store = engine.store();
            this.container = engine.containerNumber();
        }

        @Override
        public String name() {
            return "bare RocksDB scan";
        }

        @Override
        long readSome() {
            byte[] prefix = Keys.item(container, Bytes.EMPTY);
            long items = 0;
            long bytes = 0;
            try (Cursor rows = store.scan(Table.ITEMS, prefix, Keys.after(prefix))) {
                while (rows.next()) {
                    items++;
                    bytes += rows.key().length + rows.value().length;
                }
            }
            if (bytes == 0) {
                throw new IllegalStateException("there is nothing to scan");
            }
            return items;
        }
    }
}
