package orrery.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.bench.load.SampleItem;
import orrery.document.Value;
import orrery.model.IndexingPolicy;

/**
 * Compares queries in the order of creation with walks over the same items as they are stored. Both
 * test a filter that no index serves and no item meets. One counts its matches, so any order will
 * do; the other returns them.
 */
final class CreationOrder implements Measurement {
    /** The least share of the walk's speed, while everything is in the cache. */
    private static final double LEAST_OF_WALK = 0.5;

    private static final String IN_ORDER = "SELECT * FROM c WHERE ";
    private static final String IN_ANY_ORDER = "SELECT VALUE COUNT(1) FROM c WHERE ";
    private static final String NO_ITEM = "c.customer.city = 'Paris'";
    private static final String OF_KEY = "c.pk = @key AND " + NO_ITEM;
    private static final int SMALL_KEY = 10;

    /** Room for all items of the full form, at 1 KB each; blocks have half of it. */
    private static final long CACHE_BYTES = 4L << 30;

    private static final IndexingPolicy NOTHING =
            new IndexingPolicy(
                    IndexingPolicy.Mode.NONE, false, List.of(), List.of(), List.of(), List.of());

    @Override
    public String name() {
        return "creation-order";
    }

    @Override
    public List<Row> run(Bench bench) throws Exception {
        Progress progress = new Progress(name());
        int items = bench.isQuick() ? 20_000 : 1_000_000;
        List<Row> rows = new ArrayList<>();
        rows.add(range(bench, "in the cache", items, CACHE_BYTES, progress));
        rows.add(
                range(
                        bench,
                        "ten times the cache",
                        items,
                        (long) items * SampleItem.body(0).length / 10,
                        progress));
        rows.addAll(keys(bench, 2 * items, progress));
        return rows;
    }

    private Row range(Bench bench, String what, int items, long cacheBytes, Progress progress)
            throws Exception {
        Path data = bench.fresh("creation-order");
        try (LocalEngine engine = new LocalEngine(data, NOTHING, cacheBytes)) {
            progress.say("filling with %,d items".formatted(items));
            engine.fill(items, SampleItem::body);
            IdleDisk.await();
            return compared(
                    bench,
                    "range of %,d items, %s".formatted(items, what),
                    engine,
                    NO_ITEM,
                    Map.of(),
                    items,
                    cacheBytes == CACHE_BYTES,
                    progress);
        } finally {
            Bench.delete(data);
        }
    }

    /** Every other item is under one key, and the rest under keys of ten. */
    private List<Row> keys(Bench bench, int items, Progress progress) throws Exception {
        Path data = bench.fresh("creation-order");
        try (LocalEngine engine = new LocalEngine(data, NOTHING, CACHE_BYTES)) {
            progress.say("filling keys of %d and of %,d items".formatted(SMALL_KEY, items / 2));
            engine.fill(
                    items,
                    number ->
                            SampleItem.body(
                                    number, number % 2 == 0 ? 0 : 1 + number / (2 * SMALL_KEY)));
            IdleDisk.await();
            return List.of(
                    key(bench, engine, 1, SMALL_KEY, items, progress),
                    key(bench, engine, 0, items / 2, items, progress),
                    firstPage(bench, engine, items / 2, progress));
        } finally {
            Bench.delete(data);
        }
    }

    private Row key(
            Bench bench, LocalEngine engine, long number, int size, int all, Progress progress)
            throws Exception {
        return compared(
                bench,
                "key of %,d items in a range of %,d".formatted(size, all),
                engine,
                OF_KEY,
                parameters(number),
                size,
                true,
                progress);
    }

    private static Map<String, Value> parameters(long number) {
        return Map.of("@key", Value.of(SampleItem.id(number)));
    }

    /** A page costs what it returns. */
    private Row firstPage(Bench bench, LocalEngine engine, int size, Progress progress)
            throws Exception {
        String text = "SELECT TOP 100 * FROM c WHERE c.pk = @key";
        List<Rounds.Score> scores =
                bench.rounds()
                        .run(
                                List.of(
                                        asked("key of 10", engine, text, 1, SMALL_KEY),
                                        asked("large key", engine, text, 0, 100)),
                                progress);
        return new Row(
                name(),
                "first 100 of a key of %,d items".formatted(size),
                1e3 / scores.get(1).perSecond(),
                Row.Unit.MILLIS,
                Optional.of(new Row.Peer("key of 10, whole", 1e3 / scores.get(0).perSecond())),
                Optional.empty(),
                scores.get(1).toString());
    }

    private static Repeated asked(
            String name, LocalEngine engine, String text, long number, int rows) {
        return new Repeated(
                name, 1, () -> Queries.expect(rows, engine.query(text, parameters(number))));
    }

    private Row compared(
            Bench bench,
            String what,
            LocalEngine engine,
            String filter,
            Map<String, Value> parameters,
            int items,
            boolean isInCache,
            Progress progress)
            throws Exception {
        Repeated created =
                new Repeated(
                        "order of creation",
                        items,
                        () -> Queries.expect(0, engine.query(IN_ORDER + filter, parameters)));
        Repeated stored =
                new Repeated(
                        "any order",
                        items,
                        () -> Queries.expect(1, engine.query(IN_ANY_ORDER + filter, parameters)));
        List<Rounds.Score> scores = bench.rounds().run(List.of(created, stored), progress);
        return new Row(
                name(),
                what + ", items",
                scores.get(0).perSecond(),
                Row.Unit.PER_SECOND,
                Optional.of(new Row.Peer(stored.name(), scores.get(1).perSecond())),
                isInCache
                        ? Optional.of(new Row.Target.RatioAtLeast(LEAST_OF_WALK))
                        : Optional.empty(),
                scores.get(0) + "; " + scores.get(1));
    }
}
