package orrery.bench;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import orrery.bench.load.LoadGenerator;
import orrery.bench.load.LoadResult;
import orrery.bench.load.LoadSpec;

/**
 * Two tenants with a container each on one server. One reads at the rate that it has paid for; the
 * other asks, in every other round, for ten times what it has.
 */
final class Isolation implements Measurement {
    private static final double MAX_RATIO = 2;
    private static final String TENANT = "tenant";
    private static final String GREEDY = "greedy";

    /** Reads of an item cost one request unit. */
    private static final int RU_PER_SECOND = 2_000;

    /** Just below, so that none is refused for coming a moment early. */
    private static final double READS_PER_SECOND = 0.99 * RU_PER_SECOND;

    private static final int GREEDY_RU_PER_SECOND = 400;
    private static final double GREEDY_READS_PER_SECOND = 10.0 * GREEDY_RU_PER_SECOND;
    private static final int CONNECTIONS = 16;

    @Override
    public String name() {
        return "isolation";
    }

    @Override
    public List<Row> run(Bench bench) throws Exception {
        Progress progress = new Progress(name());
        int rounds = bench.isQuick() ? 2 : 5;
        double seconds = bench.isQuick() ? 2 : 6;
        double[] alone = new double[rounds];
        double[] together = new double[rounds];
        try (BenchServer server = new BenchServer(bench, "isolation", new String[0]);
                LoadGenerator other = new LoadGenerator();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            server.createContainer(TENANT, RU_PER_SECOND);
            server.createItems(TENANT, 1);
            server.createContainer(GREEDY, GREEDY_RU_PER_SECOND);
            server.createItems(GREEDY, 1);
            Callable<LoadResult> greed =
                    () ->
                            other.run(
                                    spec(
                                            LoadSpec.Kind.READ_TOO_MUCH,
                                            server,
                                            GREEDY,
                                            seconds,
                                            GREEDY_READS_PER_SECOND));
            LoadSpec reads = spec(LoadSpec.Kind.READ, server, TENANT, seconds, READS_PER_SECOND);
            progress.say("warm-up");
            Future<LoadResult> warmUp = threads.submit(greed);
            bench.load().run(reads);
            warmUp.get();
            for (int round = 0; round < rounds; round++) {
                alone[round] = bench.load().run(reads).p99Millis();
                Future<LoadResult> greedy = threads.submit(greed);
                together[round] = bench.load().run(reads).p99Millis();
                greedy.get();
                progress.say(
                        String.format(
                                Locale.ROOT,
                                "round %d of %d: p99 %.2f ms alone, %.2f ms together",
                                round + 1,
                                rounds,
                                alone[round],
                                together[round]));
            }
        }
        double before = Rounds.median(alone);
        double during = Rounds.median(together);
        return List.of(
                Row.alone(
                        name(),
                        "p99 of a tenant's reads beside a greedy one, times that alone",
                        during / before,
                        Row.Unit.TIMES,
                        MAX_RATIO,
                        String.format(
                                Locale.ROOT,
                                "%.2f ms and %.2f ms, medians of %d rounds; every read of the"
                                        + " tenant served, %,.0f/s of %,d RU/s; the other asks for"
                                        + " %,.0f/s of %,d RU/s",
                                during,
                                before,
                                rounds,
                                READS_PER_SECOND,
                                RU_PER_SECOND,
                                GREEDY_READS_PER_SECOND,
                                GREEDY_RU_PER_SECOND)));
    }

    private static LoadSpec spec(
            LoadSpec.Kind kind, BenchServer server, String container, double seconds, double rate) {
        return new LoadSpec(kind, server.port(), container, CONNECTIONS, seconds, rate, 1);
    }
}
