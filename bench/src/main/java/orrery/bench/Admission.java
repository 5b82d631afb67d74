package orrery.bench;

import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import orrery.model.PartitionKey;
import orrery.model.metering.RequestTerms;
import orrery.partition.meter.Meter;
import orrery.partition.meter.MeterSettings;
import orrery.partition.meter.PartitionMeter;

/** What it costs to admit a request and to charge it, with the look at the clock. */
final class Admission implements Measurement {
    /** Chosen to notice a lock or an allocation; what counts is what a point read loses (#3). */
    private static final double TARGET_NANOS = 250;

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
        return scores.stream().map(this::row).toList();
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
