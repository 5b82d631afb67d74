package orrery.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import orrery.bench.load.LoadSpec;
import orrery.bench.load.SqlCaller;
import orrery.bench.process.ProcessFigures;

/**
 * One client reads at a modest rate, in every other round beside another that sends the worst it
 * can think of. What the server does with that one is its own affair; the reader must not notice.
 */
final class Neighbours implements Measurement {
    private static final double MAX_RATIO = 3;
    private static final double MAX_RATIO_BESIDE_GREEDY = 2;

    private static final String TENANT = "tenant";
    private static final int RU_PER_SECOND = 1_000;
    private static final double READS_PER_SECOND = 500;
    private static final int CONNECTIONS = 8;
    private static final int ITEMS = 16;

    /** The neighbour works this long before anything counts. */
    private static final long HEAD_START_MILLIS = 1_200;

    /** The most steps that the server may take to finish the neighbour's remaining work. */
    private static final int MAX_REST_STEPS = 300;

    private static final long REST_STEP_MILLIS = 200;
    private static final long IDLE_CPU_MILLIS = 40;

    @Override
    public String name() {
        return "neighbours";
    }

    @Override
    public List<Row> run(Bench bench) throws Exception {
        Progress progress = new Progress(name());
        List<Row> rows = new ArrayList<>();
        try (BenchServer server = new BenchServer(bench, name(), new String[0])) {
            server.createContainer(TENANT, RU_PER_SECOND);
            server.createItems(TENANT, ITEMS);
            progress.say("preparing");
            try (SqlCaller caller = server.caller()) {
                WorstInputs.prepare(caller, bench.isQuick());
            }
            progress.say("warm-up");
            bench.load().run(reads(server, bench.isQuick() ? 2 : 10));
            try (NeighbourProcess others = new NeighbourProcess(server.port(), bench.isQuick())) {
                for (Neighbour neighbour : WorstInputs.neighbours(bench.isQuick())) {
                    rows.add(beside(bench, server, others, neighbour, MAX_RATIO, progress));
                }
                rows.add(
                        beside(
                                bench,
                                server,
                                others,
                                WorstInputs.greedyTenant(),
                                MAX_RATIO_BESIDE_GREEDY,
                                progress));
            }
        }
        return rows;
    }

    private Row beside(
            Bench bench,
            BenchServer server,
            NeighbourProcess others,
            Neighbour neighbour,
            double maxRatio,
            Progress progress)
            throws Exception {
        // Many short rounds: where the machine stands still in some, the median does not notice.
        int rounds = bench.isQuick() ? 2 : 9;
        double seconds = bench.isQuick() ? 1 : 2;
        double[] alone = new double[rounds];
        double[] together = new double[rounds];
        String heard = "";
        LoadSpec reads = reads(server, seconds);
        for (int round = 0; round < rounds; round++) {
            awaitRest(server.handle(), progress);
            alone[round] = bench.load().run(reads).p99Millis();
            others.begin(neighbour);
            Thread.sleep(HEAD_START_MILLIS);
            together[round] = together(bench, neighbour, reads, progress);
            heard = others.end();
            progress.say(
                    String.format(
                            Locale.ROOT,
                            "round %d of %d: p99 %.2f ms alone, %.2f ms beside %s",
                            round + 1,
                            rounds,
                            alone[round],
                            together[round],
                            neighbour.name()));
        }
        double before = Rounds.median(alone);
        double during = Rounds.median(together);
        return Row.alone(
                name(),
                "p99 of reads beside " + neighbour.name() + ", times that alone",
                during / before,
                Row.Unit.TIMES,
                maxRatio,
                String.format(
                        Locale.ROOT,
                        "%.2f ms and %.2f ms, medians of %d rounds at %,.0f reads/s; the"
                                + " neighbour heard %s",
                        during,
                        before,
                        rounds,
                        READS_PER_SECOND,
                        heard));
    }

    /** Infinite where a read was not answered as it should be. */
    private static double together(
            Bench bench, Neighbour neighbour, LoadSpec reads, Progress progress) {
        try {
            return bench.load().run(reads).p99Millis();
        } catch (IOException failure) {
            progress.say("reads failed beside " + neighbour.name() + ": " + failure.getMessage());
            return Double.POSITIVE_INFINITY;
        }
    }

    /** A round is not to be about what the last one left. */
    private static void awaitRest(ProcessHandle process, Progress progress)
            throws InterruptedException {
        long used = ProcessFigures.cpu(process).toMillis();
        for (int i = 0; i < MAX_REST_STEPS; i++) {
            Thread.sleep(REST_STEP_MILLIS);
            long now = ProcessFigures.cpu(process).toMillis();
            if (now - used <= IDLE_CPU_MILLIS) {
                return;
            }
            used = now;
        }
        progress.say("the server is still at work: what follows is not quite alone");
    }

    private static LoadSpec reads(BenchServer server, double seconds) {
        return new LoadSpec(
                LoadSpec.Kind.READ,
                server.port(),
                TENANT,
                CONNECTIONS,
                seconds,
                READS_PER_SECOND,
                ITEMS);
    }
}
