package orrery.bench;

import java.util.List;
import java.util.Locale;
import orrery.bench.load.SqlCaller;
import orrery.bench.load.SqlMessages;
import orrery.bench.process.ProcessFigures;

/** A thousand containers, created one after the other over one connection. */
final class ManyContainers implements Measurement {
    private static final int CONTAINERS = 1000;
    private static final double TARGET_SECONDS = 20;
    private static final double TARGET_MEGABYTES = 200;

    @Override
    public String name() {
        return "containers";
    }

    @Override
    public List<Row> run(Bench bench) throws Exception {
        Progress progress = new Progress(name());
        int settleMillis = bench.isQuick() ? 2_000 : 5_000;
        try (BenchServer server = new BenchServer(bench, "containers")) {
            Thread.sleep(settleMillis);
            double before = ProcessFigures.residentMegabytes(server.handle());
            long start = System.nanoTime();
            try (SqlCaller caller = server.caller()) {
                for (int i = 0; i < CONTAINERS; i++) {
                    caller.expect(
                            201, SqlMessages.createContainer("c" + i, BenchServer.FULL_INDEX));
                    if (i % 250 == 249) {
                        progress.say((i + 1) + " containers");
                    }
                }
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            Thread.sleep(settleMillis);
            double after = ProcessFigures.residentMegabytes(server.handle());
            return List.of(
                    Row.alone(
                            name(),
                            CONTAINERS + " containers, time to create",
                            seconds,
                            Row.Unit.SECONDS,
                            TARGET_SECONDS,
                            "one client, one after the other"),
                    Row.alone(
                            name(),
                            CONTAINERS + " containers, memory growth",
                            after - before,
                            Row.Unit.MEGABYTES,
                            TARGET_MEGABYTES,
                            String.format(
                                    Locale.ROOT, "resident from %.0f to %.0f MB", before, after)));
        }
    }
}
