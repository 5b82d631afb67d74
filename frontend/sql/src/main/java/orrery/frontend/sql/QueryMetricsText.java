package orrery.frontend.sql;

import java.util.Locale;
import orrery.query.execute.QueryMetrics;
import orrery.query.execute.QueryTimes;

/** Writes what a page did as {@code name=value;…}, the names being those that SDKs look for. */
final class QueryMetricsText {
    private static final double NANOS_PER_MILLI = 1e6;

    /** The shortest time that can be written. */
    private static final long SHORTEST_NANOS = 10_000;

    private final StringBuilder text = new StringBuilder();

    private QueryMetricsText() {}

    static String of(QueryMetrics metrics) {
        QueryTimes times = metrics.times();
        return new QueryMetricsText()
                .time("totalExecutionTimeInMs", times.total())
                // Clients take a query that was never compiled for one that did not run.
                .time("queryCompileTimeInMs", Math.max(SHORTEST_NANOS, times.parse()))
                .time("queryLogicalPlanBuildTimeInMs", times.prepare())
                .time("queryPhysicalPlanBuildTimeInMs", times.choose())
                // The plan is chosen once; nothing goes over it again.
                .time("queryOptimizationTimeInMs", 0)
                .time("VMExecutionTimeInMs", times.total() - times.parse() - times.prepare())
                .time("indexLookupTimeInMs", times.index())
                .time("documentLoadTimeInMs", times.load())
                // Not told apart from the rest of VMExecutionTimeInMs, which would cost more than
                // most functions do; SDKs read a missing name as 0, but some expect every name.
                .time("systemFunctionExecuteTimeInMs", 0)
                .time("userFunctionExecuteTimeInMs", 0)
                .count("retrievedDocumentCount", metrics.documents())
                .count("retrievedDocumentSize", metrics.documentBytes())
                .count("outputDocumentCount", metrics.rows())
                .count("outputDocumentSize", metrics.rowBytes())
                .time("writeOutputTimeInMs", times.write())
                .number("indexUtilizationRatio", hitRatio(metrics))
                .text
                .toString();
    }

    /** Returns the share of loaded items that the filter accepted. */
    private static double hitRatio(QueryMetrics metrics) {
        return metrics.documents() == 0
                ? 1
                : Math.min(1, (double) metrics.matches() / metrics.documents());
    }

    private QueryMetricsText time(String name, long nanos) {
        return number(name, nanos / NANOS_PER_MILLI);
    }

    private QueryMetricsText count(String name, long value) {
        return put(name, Long.toString(value));
    }

    private QueryMetricsText number(String name, double value) {
        return put(name, String.format(Locale.ROOT, "%.2f", value));
    }

    private QueryMetricsText put(String name, String value) {
        text.append(text.isEmpty() ? "" : ";").append(name).append('=').append(value);
        return this;
    }
}
