package orrery.server.client;

import java.io.PrintWriter;
import java.net.URLDecoder;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import orrery.document.JsonText;
import orrery.document.Value;

/** Explains how a query was carried out and what it cost, from the answers to it. */
final class QueryExplanation {
    private Optional<Answer> plan = Optional.empty();
    private Optional<String> index = Optional.empty();
    private Optional<String> receipt = Optional.empty();
    private final Map<String, Double> counts = new LinkedHashMap<>();
    private double charge;
    private int pages;
    private long results;

    void plan(Answer answer) {
        plan = Optional.of(answer);
    }

    void page(HttpHeaders headers, int shown) {
        pages++;
        results += shown;
        headers.firstValue("x-ms-request-charge").map(Double::valueOf).ifPresent(this::add);
        index = headers.firstValue("x-ms-cosmos-index-utilization").or(() -> index);
        receipt = headers.firstValue("x-ms-orrery-charge-detail").or(() -> receipt);
        headers.firstValue("x-ms-documentdb-query-metrics").ifPresent(this::count);
    }

    private void add(double units) {
        charge += units;
    }

    /** The counts and times of the pages add up. */
    private void count(String metrics) {
        for (String metric : metrics.split(";", -1)) {
            int equals = metric.indexOf('=');
            if (equals > 0) {
                counts.merge(
                        metric.substring(0, equals),
                        Double.valueOf(metric.substring(equals + 1)),
                        Double::sum);
            }
        }
    }

    void print(PrintWriter out) {
        plan.ifPresent(answer -> print(answer, out));
        index.ifPresent(text -> out.println("index      " + decoded(text)));
        out.printf(
                Locale.ROOT,
                "documents  %.0f loaded, %.0f bytes, for %d results%n",
                counts.getOrDefault("retrievedDocumentCount", 0.0),
                counts.getOrDefault("retrievedDocumentSize", 0.0),
                results);
        out.printf(Locale.ROOT, "charge     %.2f RU in %d page(s)%n", charge, pages);
        receipt.ifPresent(text -> out.println("last page  " + text));
    }

    private static void print(Answer answer, PrintWriter out) {
        List<Answer> ranges = answer.objects("queryRanges");
        out.println(
                "ranges     "
                        + String.join(", ", ranges.stream().map(QueryExplanation::range).toList()));
        String rewritten = answer.object("queryInfo").text("rewrittenQuery");
        if (!rewritten.isEmpty()) {
            out.println("each range " + rewritten.replace("\n", "\n           "));
        }
    }

    private static String range(Answer range) {
        String min = range.text("min");
        String max = range.text("max");
        if (min.isEmpty() && max.equals("FF")) {
            return "all";
        }
        return min.equals(max) ? (min.isEmpty() ? "none" : "key " + min) : min + " to " + max;
    }

    private static String decoded(String text) {
        Value json = JsonText.parse(URLDecoder.decode(text, StandardCharsets.UTF_8));
        return JsonText.write(json);
    }
}
