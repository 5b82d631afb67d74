package orrery.bench;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import orrery.bench.load.LoadResult;
import orrery.bench.load.LoadSpec;

/**
 * Measures how long requests take over HTTP at half of the server's capacity. Requests are sent at
 * a fixed rate and timed from when they were due, so a pause counts for all that it delayed.
 */
final class Latency implements Measurement {
    private static final double TARGET_MILLIS = 10;
    private static final double LOAD = 0.5;
    private static final int ITEMS = 256;
    private static final String READS = "reads";
    private static final String CREATES = "creates";

    @Override
    public String name() {
        return "latency";
    }

    @Override
    public List<Row> run(Bench bench) throws Exception {
        try (BenchServer server = new BenchServer(bench, "latency")) {
            server.createContainer(READS, BenchServer.FULL_INDEX);
            server.createItems(READS, ITEMS);
            server.createContainer(CREATES, BenchServer.NO_INDEX);
            List<Row> reads = measure(bench, server, LoadSpec.Kind.READ, READS, ITEMS);
            List<Row> creates = measure(bench, server, LoadSpec.Kind.CREATE, CREATES, 0);
            return List.of(reads.get(0), reads.get(1), creates.get(0), creates.get(1));
        }
    }

    private List<Row> measure(
            Bench bench, BenchServer server, LoadSpec.Kind kind, String container, int items)
            throws Exception {
        Progress progress = new Progress(name());
        LoadedServer loaded =
                new LoadedServer(
                        container,
                        server.handle(),
                        bench.load(),
                        kind,
                        server.port(),
                        container,
                        items);
        progress.say("warm-up of " + container);
        bench.warmUp().run(loaded);
        progress.say("saturation of " + container);
        double saturation = loaded.run(bench.isQuick() ? 1 : 4, 0).perSecond();
        double rate = LOAD * saturation;
        loaded.run(1, rate);
        progress.say(String.format(Locale.ROOT, "%s at %,.0f/s", container, rate));
        LoadResult result = loaded.run(bench.isQuick() ? 3 : 15, rate);
        String note =
                String.format(
                        Locale.ROOT,
                        "%,.0f/s, half of %,.0f/s; longest %.1f ms",
                        rate,
                        saturation,
                        result.maxMillis());
        String what = kind == LoadSpec.Kind.READ ? "point reads" : "durable creates";
        return List.of(
                new Row(
                        name(),
                        what + ", p50 at half load",
                        result.p50Millis(),
                        Row.Unit.MILLIS,
                        Optional.empty(),
                        Optional.empty(),
                        ""),
                Row.alone(
                        name(),
                        what + ", p99 at half load",
                        result.p99Millis(),
                        Row.Unit.MILLIS,
                        TARGET_MILLIS,
                        note));
    }
}
