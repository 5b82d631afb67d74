package orrery.bench;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import orrery.model.IndexingPolicy;

/**
 * Many groups and many distinct results, page by page to the end, on several partitions. The figure
 * is what all pages cost, times what one pass over the same items costs: it must not grow with the
 * number of pages.
 */
final class GatheredQueries implements Measurement {
    private static final double MAX_TIMES_A_PASS = 3;
    private static final int REQUEST_UNITS = 30_000;
    private static final int KEYS = 1_000;

    private static final IndexingPolicy NO_PATHS =
            new IndexingPolicy(
                    IndexingPolicy.Mode.CONSISTENT,
                    true,
                    List.of(),
                    List.of("/*"),
                    List.of(),
                    List.of());

    @Override
    public String name() {
        return "gathered";
    }

    @Override
    public List<Row> run(Bench bench) throws Exception {
        int distinct = bench.isQuick() ? 10_000 : 100_000;
        int groups = bench.isQuick() ? 20_000 : 200_000;
        List<Row> rows = new ArrayList<>();
        rows.add(measure(bench, distinct, "SELECT DISTINCT VALUE c.v FROM c", "distinct values"));
        rows.add(
                measure(
                        bench,
                        distinct,
                        "SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE c.v FROM c) d",
                        "distinct values counted"));
        rows.add(measure(bench, groups, "SELECT c.v, COUNT(1) AS n FROM c GROUP BY c.v", "groups"));
        return rows;
    }

    private static byte[] body(long number) {
        return "{\"id\":\"%d\",\"pk\":\"%d\",\"v\":%d}"
                .formatted(number, number % KEYS, number)
                .getBytes(StandardCharsets.US_ASCII);
    }

    private Row measure(Bench bench, int items, String query, String what) throws Exception {
        Progress progress = new Progress(name());
        Path data = bench.fresh("gathered");
        try (LocalEngine engine =
                new LocalEngine(data, NO_PATHS, LocalEngine.UNTHROTTLED, REQUEST_UNITS)) {
            progress.say("filling with %,d items".formatted(items));
            engine.fill(items, GatheredQueries::body);
            IdleDisk.await();
            LocalEngine.Answer pass = engine.answer("SELECT VALUE c.v FROM c", Map.of());
            progress.say("paging %,d %s".formatted(items, what));
            long began = System.nanoTime();
            LocalEngine.Answer answer = engine.answer(query, Map.of());
            double seconds = (System.nanoTime() - began) / 1e9;
            return new Row(
                    name(),
                    String.format(Locale.ROOT, "%,d %s, times one pass", items, what),
                    answer.requestUnits() / pass.requestUnits(),
                    Row.Unit.TIMES,
                    Optional.empty(),
                    Optional.of(new Row.Target.AtMost(MAX_TIMES_A_PASS)),
                    String.format(
                            Locale.ROOT,
                            "%.1f s, %,d results on %,d pages, %,.0f RU; one pass %,.0f RU",
                            seconds,
                            answer.rows(),
                            answer.pages(),
                            answer.requestUnits(),
                            pass.requestUnits()));
        } finally {
            Bench.delete(data);
        }
    }
}
