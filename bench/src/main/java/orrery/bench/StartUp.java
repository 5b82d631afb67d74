package orrery.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import orrery.bench.load.SqlCaller;
import orrery.bench.load.SqlMessages;
import orrery.bench.process.ProcessFigures;

/** Measures an idle server: time to start, memory, and CPU. */
final class StartUp implements Measurement {
    private static final double TARGET_SECONDS = 0.8;
    private static final double TARGET_SECONDS_WITHOUT_CACHE = 3;
    private static final double TARGET_MEGABYTES = 300;
    private static final double TARGET_PERCENT = 1;
    private static final int CONTAINERS = 100;

    @Override
    public String name() {
        return "startup";
    }

    @Override
    public List<Row> run(Bench bench) throws Exception {
        Progress progress = new Progress(name());
        ServerProcess.prepare();
        Path data = bench.fresh("startup");
        try {
            try (ServerProcess first = ServerProcess.start(data);
                    SqlCaller caller = new SqlCaller(first.port())) {
                caller.expect(201, SqlMessages.createDatabase());
                caller.expect(201, SqlMessages.createContainer("first", BenchServer.FULL_INDEX));
            }
            double[] uncached = new double[bench.isQuick() ? 3 : 5];
            for (int i = 0; i < uncached.length; i++) {
                try (ServerProcess server = ServerProcess.launchWithoutCache(data)) {
                    uncached[i] = untilAnswered(server, progress);
                }
            }
            double[] seconds = new double[bench.isQuick() ? 3 : 5];
            for (int i = 0; i < seconds.length - 1; i++) {
                try (ServerProcess server = ServerProcess.launch(data)) {
                    seconds[i] = untilAnswered(server, progress);
                }
            }
            try (ServerProcess server = ServerProcess.launch(data)) {
                seconds[seconds.length - 1] = untilAnswered(server, progress);
                int settleSeconds = bench.isQuick() ? 4 : 10;
                Thread.sleep(settleSeconds * 1000L);
                double megabytes = ProcessFigures.residentMegabytes(server.handle());
                double percent = idlePercent(bench, server, progress);
                return List.of(
                        Row.alone(
                                name(),
                                "start to first answer",
                                Rounds.median(seconds),
                                Row.Unit.SECONDS,
                                TARGET_SECONDS,
                                "median of " + seconds.length),
                        Row.alone(
                                name(),
                                "the same without start-up cache",
                                Rounds.median(uncached),
                                Row.Unit.SECONDS,
                                TARGET_SECONDS_WITHOUT_CACHE,
                                "median of " + uncached.length),
                        Row.alone(
                                name(),
                                "resident memory, idle",
                                megabytes,
                                Row.Unit.MEGABYTES,
                                TARGET_MEGABYTES,
                                settleSeconds + " s after the start"),
                        Row.alone(
                                name(),
                                "CPU idle, " + CONTAINERS + " containers",
                                percent,
                                Row.Unit.PERCENT,
                                TARGET_PERCENT,
                                "of one core"));
            }
        } finally {
            Bench.delete(data);
        }
    }

    private static double untilAnswered(ServerProcess server, Progress progress)
            throws IOException, InterruptedException {
        server.awaitFirstAnswer(SqlMessages.readAccount());
        double seconds = (System.nanoTime() - server.launchedNanos()) / 1e9;
        progress.say(String.format(Locale.ROOT, "answered after %.2f s", seconds));
        return seconds;
    }

    private static double idlePercent(Bench bench, ServerProcess server, Progress progress)
            throws IOException, InterruptedException {
        try (SqlCaller caller = new SqlCaller(server.port())) {
            for (int i = 0; i < CONTAINERS; i++) {
                caller.expect(
                        201, SqlMessages.createContainer("idle-" + i, BenchServer.FULL_INDEX));
            }
        }
        progress.say("idle with " + CONTAINERS + " containers");
        Thread.sleep(bench.isQuick() ? 2_000 : 5_000);
        long before = ProcessFigures.cpu(server.handle()).toNanos();
        long start = System.nanoTime();
        Thread.sleep(bench.isQuick() ? 6_000 : 30_000);
        long used = ProcessFigures.cpu(server.handle()).toNanos() - before;
        return 100.0 * used / (System.nanoTime() - start);
    }
}
