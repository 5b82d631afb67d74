package orrery.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongFunction;
import orrery.document.Value;
import orrery.model.EffectiveKey;
import orrery.model.IndexingPolicy;
import orrery.storage.Cursor;
import orrery.storage.Table;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.Keys;

/**
 * Queries at the engine's door, by one client: whether what an index finds takes as long among many
 * items as among few, how fast items are scanned that no index finds, and how both compare with
 * PostgreSQL.
 */
final class Queries implements Measurement {
    private static final double MAX_GROWTH = 1.5;
    private static final double LEAST_OF_BARE_SCAN = 0.40;
    private static final double LEAST_OF_POSTGRES = 1.0;
    private static final int TOP = 10;

    /** The paths that the queries filter and sort by; the rest of an item is not indexed. */
    private static final IndexingPolicy SOME_PATHS =
            new IndexingPolicy(
                    IndexingPolicy.Mode.CONSISTENT,
                    true,
                    List.of("/bucket/?", "/state/?", "/order/?"),
                    List.of("/*"),
                    List.of(),
                    List.of());

    private static final String EQUALITY = "SELECT * FROM c WHERE c.bucket = @bucket";
    private static final String SORTED = "SELECT TOP 10 * FROM c ORDER BY c[\"order\"] DESC";
    private static final String UNINDEXED = "SELECT * FROM c WHERE c.customer.city = 'Paris'";
    private static final String SUM = "SELECT VALUE SUM(c.amount) FROM c WHERE c.state = @state";
    private static final String COUNT = "SELECT VALUE COUNT(1) FROM c WHERE c.state = @state";

    private static final JsonFactory JSON =
            JsonFactory.builder().configure(JsonFactory.Feature.INTERN_FIELD_NAMES, false).build();

    @Override
    public String name() {
        return "queries";
    }

    @Override
    public List<Row> run(Bench bench) throws Exception {
        Progress progress = new Progress(name());
        List<Row> rows = new ArrayList<>(growth(bench, progress));
        int items = bench.isQuick() ? 10_000 : 100_000;
        Path data = bench.fresh("queries");
        try (LocalEngine engine = new LocalEngine(data, SOME_PATHS, PostgreSql.CACHE_BYTES)) {
            LongFunction<byte[]> body = number -> QueryItem.usual(number, items);
            progress.say("filling with %,d items of 1 KB".formatted(items));
            engine.fill(items, body);
            IdleDisk.await();
            rows.add(scan(bench, engine, items, progress));
            rows.addAll(againstPostgres(bench, engine, items, body, progress));
        } finally {
            Bench.delete(data);
        }
        return rows;
    }

    private List<Row> growth(Bench bench, Progress progress) throws Exception {
        int few = bench.isQuick() ? 1_000 : 10_000;
        int many = bench.isQuick() ? 20_000 : 1_000_000;
        Path small = bench.fresh("queries-few");
        Path large = bench.fresh("queries-many");
        try (LocalEngine withFew = new LocalEngine(small, SOME_PATHS);
                LocalEngine withMany = new LocalEngine(large, SOME_PATHS)) {
            progress.say("filling with %,d and %,d short items".formatted(few, many));
            long start = System.nanoTime();
            withFew.fill(few, number -> QueryItem.brief(number, few));
            withMany.fill(many, number -> QueryItem.brief(number, many));
            progress.say("filled in %d s".formatted((System.nanoTime() - start) / 1_000_000_000));
            IdleDisk.await();
            // The same number of items is looked at in both, so that both find them in memory:
            // what grows is the index. What a cache that is too small costs is the second row.
            long asked = QueryItem.buckets(few);
            Optional<Row.Target> target = Optional.of(new Row.Target.AtMost(MAX_GROWTH));
            return List.of(
                    grown(
                            "equality that finds 10",
                            bench.rounds()
                                    .run(
                                            List.of(
                                                    equality(few + " items", withFew, asked),
                                                    equality(many + " items", withMany, asked)),
                                            progress),
                            few,
                            many,
                            target),
                    grown(
                            "equality by any value, 10",
                            bench.rounds()
                                    .run(
                                            List.of(
                                                    equality(few + " items", withFew, asked),
                                                    equality(
                                                            many + " items",
                                                            withMany,
                                                            QueryItem.buckets(many))),
                                            progress),
                            few,
                            many,
                            Optional.empty()),
                    grown(
                            "ORDER BY with TOP 10",
                            bench.rounds()
                                    .run(
                                            List.of(
                                                    sorted(few + " items", withFew),
                                                    sorted(many + " items", withMany)),
                                            progress),
                            few,
                            many,
                            target));
        } finally {
            Bench.delete(small);
            Bench.delete(large);
        }
    }

    private Row grown(
            String what,
            List<Rounds.Score> scores,
            int few,
            int many,
            Optional<Row.Target> target) {
        Rounds.Score withFew = scores.get(0);
        Rounds.Score withMany = scores.get(1);
        return new Row(
                name(),
                String.format(Locale.ROOT, "%s of %,d items, times that of %,d", what, many, few),
                withFew.perSecond() / withMany.perSecond(),
                Row.Unit.TIMES,
                Optional.empty(),
                target,
                String.format(
                        Locale.ROOT,
                        "%.3f ms and %.3f ms; %s; %s",
                        1e3 / withMany.perSecond(),
                        1e3 / withFew.perSecond(),
                        withMany,
                        withFew));
    }

    /**
     * @param buckets that are asked for, one at random each time
     */
    private static Repeated equality(String name, LocalEngine engine, long buckets) {
        return new Repeated(
                name,
                1,
                () ->
                        expect(
                                QueryItem.PER_BUCKET,
                                engine.query(
                                        EQUALITY, Map.of("@bucket", Value.of(random(buckets))))));
    }

    private static Repeated sorted(String name, LocalEngine engine) {
        return new Repeated(name, 1, () -> expect(TOP, engine.query(SORTED, Map.of())));
    }

    private Row scan(Bench bench, LocalEngine engine, int items, Progress progress)
            throws Exception {
        long[] bytes = new long[1];
        Repeated own =
                new Repeated("scan", items, () -> expect(0, engine.query(UNINDEXED, Map.of())));
        Repeated bare =
                new Repeated("RocksDB + Jackson", items, () -> bytes[0] = bareScan(engine, items));
        List<Rounds.Score> scores = bench.rounds().run(List.of(own, bare), progress);
        double bytesPerItem = (double) bytes[0] / items;
        return new Row(
                name(),
                "scan with a filter that no index serves, items",
                scores.get(0).perSecond(),
                Row.Unit.PER_SECOND,
                Optional.of(new Row.Peer(bare.name(), scores.get(1).perSecond())),
                Optional.of(new Row.Target.RatioAtLeast(LEAST_OF_BARE_SCAN)),
                String.format(
                        Locale.ROOT,
                        "%.0f MB/s against %.0f MB/s; %s; %s",
                        scores.get(0).perSecond() * bytesPerItem / 1e6,
                        scores.get(1).perSecond() * bytesPerItem / 1e6,
                        scores.get(0),
                        scores.get(1)));
    }

    /** Looks at every token of every item, and keeps none; returns the bytes of JSON. */
    private static long bareScan(LocalEngine engine, int items) throws IOException {
        byte[] from = Keys.itemsFrom(engine.containerNumber(), EffectiveKey.MIN);
        long count = 0;
        long bytes = 0;
        try (Cursor cursor = engine.store().scan(Table.ITEMS, from, Keys.after(from))) {
            while (cursor.next()) {
                byte[] body = ItemRecord.decode(cursor.value()).body().unsafeArray();
                try (JsonParser parser = JSON.createParser(body)) {
                    while (parser.nextToken() != null) {
                        // On to the next.
                    }
                }
                count++;
                bytes += body.length;
            }
        }
        expect(items, count);
        return bytes;
    }

    private List<Row> againstPostgres(
            Bench bench,
            LocalEngine engine,
            int items,
            LongFunction<byte[]> body,
            Progress progress)
            throws Exception {
        Optional<Path> programs = PostgreSql.find();
        if (programs.isEmpty()) {
            progress.say(
                    "SKIPPED: PostgreSQL 15 is not installed (package postgresql), so nothing is"
                            + " compared with it");
            return List.of();
        }
        try (PostgreSql postgres = PostgreSql.start(bench, programs.get())) {
            progress.say("filling PostgreSQL");
            postgres.load(items, body);
            IdleDisk.await();
            long buckets = QueryItem.buckets(items);
            int ofState = items / QueryItem.STATES;
            List<Row> rows = new ArrayList<>();
            rows.add(
                    compared(
                            bench,
                            "filter that finds 10 of %,d items".formatted(items),
                            equality("engine door", engine, buckets),
                            new Asked(
                                    postgres,
                                    "\\set bucket random(0, %d)%n".formatted(buckets - 1)
                                            + "SELECT body FROM items"
                                            + " WHERE (body->>'bucket')::bigint = :bucket;\n"),
                            progress));
            rows.add(
                    compared(
                            bench,
                            "SUM over %,d of %,d items".formatted(ofState, items),
                            ofState("engine door", engine, SUM),
                            new Asked(
                                    postgres,
                                    "\\set state random(0, %d)%n".formatted(QueryItem.STATES - 1)
                                            + "SELECT sum((body->>'amount')::float8) FROM items"
                                            + " WHERE body->>'state' = 's' || :state::text;\n"),
                            progress));
            rows.add(
                    compared(
                            bench,
                            "COUNT of %,d of %,d items".formatted(ofState, items),
                            ofState("engine door", engine, COUNT),
                            new Asked(
                                    postgres,
                                    "\\set state random(0, %d)%n".formatted(QueryItem.STATES - 1)
                                            + "SELECT count(*) FROM items"
                                            + " WHERE body->>'state' = 's' || :state::text;\n"),
                            progress));
            return rows;
        }
    }

    private static Repeated ofState(String name, LocalEngine engine, String query) {
        return new Repeated(
                name,
                1,
                () ->
                        expect(
                                1,
                                engine.query(
                                        query,
                                        Map.of(
                                                "@state",
                                                Value.of("s" + random(QueryItem.STATES))))));
    }

    private Row compared(Bench bench, String what, Repeated own, Asked postgres, Progress progress)
            throws Exception {
        List<Rounds.Score> scores = bench.rounds().run(List.of(own, postgres), progress);
        return new Row(
                name(),
                what,
                scores.get(0).perSecond(),
                Row.Unit.PER_SECOND,
                Optional.of(new Row.Peer(postgres.name(), scores.get(1).perSecond())),
                Optional.of(new Row.Target.RatioAtLeast(LEAST_OF_POSTGRES)),
                String.format(
                        Locale.ROOT,
                        "%.3f ms in this process against %.3f ms over a Unix socket; %s; spread of"
                                + " the peer %.0f %%",
                        1e3 / scores.get(0).perSecond(),
                        1e3 / scores.get(1).perSecond(),
                        scores.get(0),
                        100 * scores.get(1).spread()));
    }

    /** PostgreSQL, asked by one client again and again. */
    private record Asked(PostgreSql postgres, String script) implements Rounds.Contestant {
        @Override
        public String name() {
            return "PostgreSQL";
        }

        @Override
        public ProcessHandle process() {
            return postgres.process();
        }

        @Override
        public double run(double seconds) throws Exception {
            return postgres.rate(script, seconds);
        }
    }

    private static long random(long bound) {
        return ThreadLocalRandom.current().nextLong(bound);
    }

    static void expect(long wanted, long found) {
        if (found != wanted) {
            throw new IllegalStateException(wanted + " results expected, " + found + " found");
        }
    }
}
