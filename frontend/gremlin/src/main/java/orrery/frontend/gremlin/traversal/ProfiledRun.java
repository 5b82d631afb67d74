package orrery.frontend.gremlin.traversal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import orrery.frontend.gremlin.traversal.graph.GraphMeter;

/**
 * Carries a script out and answers with one object, which tells what that took: the form of the
 * service's executionProfile().
 */
final class ProfiledRun implements GraphRun {
    private static final String PROJECT = "ProjectOperator";
    private static final double NANOS_PER_MILLI = 1e6;

    private final TraversalRun run;
    private final GraphMeter meter;
    private final String script;
    private boolean isDone;

    ProfiledRun(TraversalRun run, GraphMeter meter, String script) {
        this.run = run;
        this.meter = meter;
        this.script = script;
    }

    @Override
    public boolean hasNext() {
        return !isDone;
    }

    @Override
    public Object next() {
        if (isDone) {
            throw new NoSuchElementException();
        }
        isDone = true;
        long began = System.nanoTime();
        long results = 0;
        while (run.hasNext()) {
            run.next();
            results++;
        }
        return profile(results, System.nanoTime() - began);
    }

    private Map<String, Object> profile(long results, long nanos) {
        Map<String, List<GraphMeter.Operation>> byOperator = new LinkedHashMap<>();
        long inEngine = 0;
        for (GraphMeter.Operation operation : meter.operations()) {
            byOperator.computeIfAbsent(operation.operator(), _ -> new ArrayList<>()).add(operation);
            inEngine += operation.nanos();
        }
        List<Object> metrics = new ArrayList<>();
        byOperator.forEach(
                (operator, operations) -> {
                    long own = operations.stream().mapToLong(GraphMeter.Operation::nanos).sum();
                    long items = operations.stream().mapToLong(GraphMeter.Operation::items).sum();
                    Map<String, Object> metric = metric(operator, own, nanos, items);
                    metric.put("storeOps", operations.stream().map(ProfiledRun::storeOp).toList());
                    metrics.add(metric);
                });
        metrics.add(metric(PROJECT, Math.max(0, nanos - inEngine), nanos, results));
        Map<String, Object> profile = new LinkedHashMap<>();
        profile.put("gremlin", script);
        profile.put("totalTime", Math.round(nanos / NANOS_PER_MILLI));
        profile.put("metrics", metrics);
        return profile;
    }

    private static Map<String, Object> metric(String name, long nanos, long ofNanos, long results) {
        Map<String, Object> metric = new LinkedHashMap<>();
        metric.put("name", name);
        metric.put("time", Math.round(nanos / NANOS_PER_MILLI));
        metric.put(
                "annotations",
                Map.of("percentTime", ofNanos == 0 ? 0.0 : round(100.0 * nanos / ofNanos)));
        metric.put("counts", Map.of("resultCount", results));
        return metric;
    }

    private static Map<String, Object> storeOp(GraphMeter.Operation operation) {
        Map<String, Object> op = new LinkedHashMap<>();
        op.put("fanoutFactor", operation.ranges());
        op.put("count", operation.items());
        op.put("size", operation.bytes());
        op.put("time", round(operation.nanos() / NANOS_PER_MILLI));
        return op;
    }

    private static double round(double number) {
        return Math.round(number * 100) / 100.0;
    }

    @Override
    public double charge() {
        return run.charge();
    }

    @Override
    public void close() {
        isDone = true;
        run.close();
    }
}
