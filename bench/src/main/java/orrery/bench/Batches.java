package orrery.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import orrery.model.IndexingPolicy;

/**
 * Durable creates of 1 KB items at the engine's door by 64 clients: in transactional batches, in
 * bulks and by a stored procedure that gets 20, against the same items one by one.
 */
final class Batches implements Measurement {
    private static final int ITEMS = 20;
    private static final ThreadFactory CALLERS = Thread.ofVirtual().factory();

    @Override
    public String name() {
        return "batches";
    }

    @Override
    public List<Row> run(Bench bench) throws Exception {
        Path data = bench.fresh(name());
        try (LocalEngine engine = new LocalEngine(data, IndexingPolicy.DEFAULT)) {
            AtomicLong next = new AtomicLong();
            engine.addProcedure();
            List<Rounds.Score> scores =
                    bench.rounds()
                            .run(
                                    List.of(
                                            new Creator(
                                                    "batches",
                                                    next,
                                                    ITEMS,
                                                    first -> engine.createBatch(first, ITEMS)),
                                            new Creator(
                                                    "bulks",
                                                    next,
                                                    ITEMS,
                                                    first -> engine.createBulk(first, ITEMS)),
                                            new Creator(
                                                    "procedures",
                                                    next,
                                                    ITEMS,
                                                    first ->
                                                            engine.createByProcedure(first, ITEMS)),
                                            new Creator("one by one", next, 1, engine::create)),
                                    new Progress(name()));
            long found = engine.countItems();
            if (found != next.get()) {
                throw new IllegalStateException(
                        next.get() + " items were created and " + found + " are there");
            }
            return List.of(
                    row("in batches of " + ITEMS, scores.get(0), scores.getLast()),
                    row("in bulks of " + ITEMS, scores.get(1), scores.getLast()),
                    row("by procedures, " + ITEMS + " each", scores.get(2), scores.getLast()));
        } finally {
            Bench.delete(data);
        }
    }

    private Row row(String how, Rounds.Score own, Rounds.Score single) {
        return new Row(
                name(),
                "items created " + how + ", engine door",
                own.perSecond(),
                Row.Unit.PER_SECOND,
                Optional.of(new Row.Peer(single.name(), single.perSecond())),
                Optional.empty(),
                own + "; " + single);
    }

    /** Counts items, however many go into one request. */
    private record Creator(String name, AtomicLong next, int items, LongConsumer create)
            implements Rounds.Contestant {
        @Override
        public ProcessHandle process() {
            return ProcessHandle.current();
        }

        @Override
        public double run(double seconds) throws InterruptedException {
            return items
                    * Clients.run(
                            Bench.CLIENTS,
                            CALLERS,
                            seconds,
                            () -> create.accept(next.getAndAdd(items)));
        }
    }
}
