package orrery.bench;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadFactory;
import orrery.bench.load.LoadSpec;
import orrery.model.PartitionKey;
import orrery.model.metering.RequestTerms;
import orrery.partition.meter.Meter;
import orrery.partition.meter.MeterSettings;
import orrery.partition.meter.PartitionMeter;

/**
 * Measures the cost of admitting and charging a request, including the look at the clock, and how
 * much slower it makes a point read over HTTP.
 */
final class Admission implements Measurement {
    /** Chosen to notice a lock or an allocation; what counts is what a point read loses. */
    private static final double TARGET_NANOS = 250;

    /** The loss of read speed by metering that is allowed. */
    private static final double MAX_LOSS_PERCENT = 3;

    /** The most that a container may have, in one partition: nothing is refused. */
    private static final int MOST_RU_PER_SECOND = 1_000_000;

    private static final int LEAST_RU_PER_SECOND = 400;
    private static final int ITEMS = 256;
    private static final String CONTAINER = "reads";

    /** More than a thread can use, so that none is refused. */
    private static final double RU_PER_SECOND = 1e9;

    /** Requests that count as one operation: starting one costs more than they do. */
    private static final int BATCH = 1_000;

    private static final ThreadFactory THREADS =
            Thread.ofPlatform().daemon(true).name("metered-", 0).factory();

    private static final PartitionKey[] KEYS = new PartitionKey[100];

    static {
        for (int i = 0; i < KEYS.length; i++) {
            KEYS[i] = PartitionKey.ofText("key " + i);
        }
    }

    @Override
    public String name() {
        return "admission";
    }

    @Override
    public List<Row> run(Bench bench) throws Exception {
        List<Rounds.Score> scores =
                bench.rounds().run(List.of(new Requests(1), new Requests(2)), new Progress(name()));
        List<Row> rows = new ArrayList<>(scores.stream().map(this::row).toList());
        rows.add(overHttp(bench));
        return rows;
    }

    /** The same server twice, one of them without throttling, read from in turn. */
    private Row overHttp(Bench bench) throws Exception {
        String most = Integer.toString(MOST_RU_PER_SECOND);
        try (BenchServer metered =
                        new BenchServer(bench, "metered", "--partition-max-throughput", most);
                BenchServer free = new BenchServer(bench, "free")) {
            for (BenchServer server : List.of(metered, free)) {
                server.createContainer(
                        CONTAINER, server == metered ? MOST_RU_PER_SECOND : LEAST_RU_PER_SECOND);
                server.createItems(CONTAINER, ITEMS);
            }
            Rounds once = bench.rounds();
            // The difference is small, so it takes more rounds to see than others do.
            Rounds rounds = new Rounds(once.warmUp(), 3 * once.rounds(), once.seconds() / 2);
            List<Rounds.Score> scores =
                    rounds.run(
                            List.of(reads(bench, "metered", metered), reads(bench, "free", free)),
                            new Progress(name()));
            Rounds.Score with = scores.getFirst();
            Rounds.Score without = scores.getLast();
            return Row.alone(
                    name(),
                    "point reads over HTTP, lost by metering",
                    100 * (1 - with.perSecond() / without.perSecond()),
                    Row.Unit.PERCENT,
                    MAX_LOSS_PERCENT,
                    String.format(
                            Locale.ROOT,
                            "%,.0f/s and %,.0f/s; %s; %s",
                            with.perSecond(),
                            without.perSecond(),
                            with,
                            without));
        }
    }

    private static LoadedServer reads(Bench bench, String name, BenchServer server) {
        return new LoadedServer(
                name,
                server.handle(),
                bench.load(),
                LoadSpec.Kind.READ,
                server.port(),
                CONTAINER,
                ITEMS);
    }

    private Row row(Rounds.Score score) {
        return Row.alone(
                name(),
                "admission, " + score.name(),
                1000 * score.cpuMicros() / BATCH,
                Row.Unit.NANOS,
                TARGET_NANOS,
                BATCH + " requests are one operation: " + score);
    }

    private static final class Requests implements Rounds.Contestant {
        private final int threads;
        private final PartitionMeter meter =
                PartitionMeter.alone(
                        Meter.of(
                                RU_PER_SECOND,
                                MeterSettings.DEFAULT,
                                System.nanoTime(),
                                InstantSource.system()),
                        System.nanoTime());

        Requests(int threads) {
            this.threads = threads;
        }

        @Override
        public String name() {
            return threads == 1 ? "one thread" : threads + " threads on one partition";
        }

        @Override
        public ProcessHandle process() {
            return ProcessHandle.current();
        }

        @Override
        public double run(double seconds) throws InterruptedException {
            return Clients.run(threads, THREADS, seconds, this::batch);
        }

        private void batch() {
            for (int i = 0; i < BATCH; i++) {
                long now = System.nanoTime();
                if (meter.admit(RequestTerms.STANDARD, now) > 0) {
                    throw new IllegalStateException("refused within the budget");
                }
                meter.charge(KEYS[i % KEYS.length], 1, RequestTerms.STANDARD, now);
            }
        }
    }
}
