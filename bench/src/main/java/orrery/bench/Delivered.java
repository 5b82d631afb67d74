package orrery.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.locks.LockSupport;
import orrery.cluster.api.AccountSettings;
import orrery.model.IndexingPolicy;
import orrery.model.OrreryException;

/** Measures how much of the provisioned throughput clients get that always ask for more. */
final class Delivered implements Measurement {
    /** Two partitions of this much each; the machine could do many times that. */
    private static final int PER_PARTITION = 2_000;

    private static final int ITEMS = 1_000;
    private static final int CLIENTS = 4;
    private static final double TOLERANCE = 0.02;
    private static final ThreadFactory THREADS = Thread.ofVirtual().name("spender-", 0).factory();

    @Override
    public String name() {
        return "delivered";
    }

    @Override
    public List<Row> run(Bench bench) throws Exception {
        Path directory = bench.fresh("delivered");
        double seconds = bench.isQuick() ? 3 : 10;
        AccountSettings small = AccountSettings.DEFAULT.withPartitionMaxThroughput(PER_PARTITION);
        List<Row> rows = new ArrayList<>();
        try (LocalEngine engine =
                new LocalEngine(directory, IndexingPolicy.DEFAULT, small, 2 * PER_PARTITION)) {
            for (int i = 0; i < ITEMS; i++) {
                untilAccepted(engine, i);
            }
            AtomicLong next = new AtomicLong();
            rows.add(
                    row(
                            "reads of all keys, share of T",
                            spend(engine, seconds, () -> next.getAndIncrement() % ITEMS),
                            2 * PER_PARTITION));
            rows.add(
                    row(
                            "reads of one key, share of T/N",
                            spend(engine, seconds, () -> 1),
                            PER_PARTITION));
        } finally {
            Bench.delete(directory);
        }
        return rows;
    }

    private static void untilAccepted(LocalEngine engine, int number) {
        while (true) {
            try {
                engine.create(number);
                return;
            } catch (OrreryException tooMany) {
                LockSupport.parkNanos(5_000_000);
            }
        }
    }

    private interface Choice {
        long next();
    }

    /** Returns the RU per second that were accepted. */
    private static double spend(LocalEngine engine, double seconds, Choice choice)
            throws InterruptedException {
        DoubleAdder accepted = new DoubleAdder();
        Runnable read =
                () -> {
                    try {
                        accepted.add(engine.read(choice.next()));
                    } catch (OrreryException refused) {
                        LockSupport.parkNanos(500_000);
                    }
                };
        // This uses up the units that the bucket has saved.
        Clients.run(CLIENTS, THREADS, 2, read);
        accepted.reset();
        Clients.run(CLIENTS, THREADS, seconds, read);
        return accepted.sum() / seconds;
    }

    private Row row(String what, double ruPerSecond, int provisioned) {
        double share = ruPerSecond / provisioned;
        return new Row(
                name(),
                what,
                Math.abs(share - 1) * 100,
                Row.Unit.PERCENT,
                Optional.empty(),
                Optional.of(new Row.Target.AtMost(TOLERANCE * 100)),
                "off by so much: %,.0f RU/s of %,d".formatted(ruPerSecond, provisioned));
    }
}
