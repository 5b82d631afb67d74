package orrery.partition;

import java.lang.System.Logger;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.model.metering.RequestTerms;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.partition.machine.PartitionState;
import orrery.partition.machine.Presence;
import orrery.partition.meter.Meter;
import orrery.partition.meter.PartitionMeter;
import orrery.storage.StoreFailure;
import orrery.storage.StoreSnapshot;

/**
 * Deletes what is gone, a few items at a time through the log, from what the partitions' budgets
 * have to spare. Nobody waits for it: readers and writers pass over such items anyway. It keeps no
 * record of its work; what is left to do is found again in the index.
 */
final class PurgeWorker implements AutoCloseable {
    private static final Logger LOG = System.getLogger(PurgeWorker.class.getName());
    private static final Duration REST = Duration.ofMillis(500);
    private static final Duration STEP_TIMEOUT = Duration.ofSeconds(30);
    private static final int MAX_ITEMS_PER_STEP = 64;

    /** Candidates that are looked at in one step. */
    private static final int MAX_LOOKED = 10_000;

    /** Requests have the first call on this part of a second's budget. */
    private static final double RESERVED_SECONDS = 0.5;

    /** So many request units per second allow one item more in a step. */
    private static final double RU_PER_ITEM = 100;

    /** The minute's budget is not for this, and it gives way to everyone. */
    private static final RequestTerms TERMS = new RequestTerms(RequestTerms.Priority.LOW, false, 1);

    private final ReplicaSet set;
    private final PartitionMeters meters;
    private final InstantSource clock;
    private final Semaphore wakeUp = new Semaphore(0);
    private final Map<PartitionId, Long> examined = new ConcurrentHashMap<>();
    private final LongAdder purged = new LongAdder();
    private final Thread thread;
    private long lastMillis;

    PurgeWorker(ReplicaSet set, PartitionMeters meters, InstantSource clock) {
        this.set = set;
        this.meters = meters;
        this.clock = clock;
        this.thread = Thread.ofVirtual().name("purge").start(this::run);
    }

    /** Items deleted since the start. */
    long purged() {
        return purged.sum();
    }

    /** Before this {@code _ts} no item of the partition is left that its container ends. */
    long examinedSeconds(PartitionId id) {
        return examined.getOrDefault(id, 0L);
    }

    /** Something is gone, so there is no need to wait for the next look. */
    void wake() {
        wakeUp.release();
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (set.failure().isEmpty()) {
                if (!pass()) {
                    boolean isWoken = wakeUp.tryAcquire(REST.toMillis(), TimeUnit.MILLISECONDS);
                    if (isWoken) {
                        wakeUp.drainPermits();
                    }
                }
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    /** One step in each partition that has something to purge; whether any was made. */
    private boolean pass() throws InterruptedException {
        long now = clock.millis();
        if (now < lastMillis) {
            examined.clear(); // a clock that was set back gives out times that were passed already
        }
        lastMillis = now;
        examined.keySet().removeIf(id -> set.find(id).isEmpty());
        List<PartitionId> due = new ArrayList<>();
        set.forEachPartition(
                (id, state) -> {
                    if (!state.presence(now).isOfAll()) {
                        due.add(id);
                    }
                });
        boolean isAnyPurged = false;
        for (PartitionId id : due) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            try {
                PartitionState state = set.find(id).orElse(null);
                isAnyPurged |= state != null && isSpare(id) && step(id, state);
            } catch (OrreryException | StoreFailure failure) {
                LOG.log(
                        Logger.Level.WARNING,
                        "purging of partition {0} waits: {1}",
                        id,
                        failure.getMessage());
            }
        }
        return isAnyPurged;
    }

    private boolean isSpare(PartitionId id) {
        Meter meter = meters.of(id).meter();
        return !meter.settings().throttling()
                || meter.balanceRu(System.nanoTime()) > meter.ruPerSecond() * RESERVED_SECONDS;
    }

    private boolean step(PartitionId id, PartitionState state) {
        Presence presence = state.presence(clock.millis());
        List<Command.Purge.Target> targets = targets(id, state, presence);
        if (targets.isEmpty()) {
            return false;
        }
        Outcome outcome =
                set.submit(new Command.Purge(id, presence.nowMillis(), targets), STEP_TIMEOUT);
        if (!(outcome instanceof Outcome.Written done)) {
            return false;
        }
        PartitionMeter meter = meters.of(id);
        double ru = done.items().stream().mapToDouble(item -> Charges.ofPurge(item).ru()).sum();
        meter.charge(ru, TERMS, System.nanoTime());
        purged.add(done.items().size());
        return true;
    }

    private List<Command.Purge.Target> targets(
            PartitionId id, PartitionState state, Presence presence) {
        int atMost = itemsPerStep(meters.of(id).meter());
        List<Command.Purge.Target> targets = new ArrayList<>();
        try (StoreSnapshot snapshot = set.store().snapshot()) {
            GoneWalk walk =
                    new GoneWalk(snapshot, id, state.record(), presence, examinedSeconds(id));
            walk.run(
                    MAX_LOOKED,
                    (suffix, item) -> {
                        targets.add(new Command.Purge.Target(suffix, item.etag()));
                        return targets.size() < atMost;
                    });
            examined.put(id, walk.examinedSeconds());
        }
        return targets;
    }

    /** Few where the budget is small: a step is paid afterwards, whatever it comes to. */
    private static int itemsPerStep(Meter meter) {
        return meter.settings().throttling()
                ? (int) Math.clamp(meter.ruPerSecond() / RU_PER_ITEM, 1, MAX_ITEMS_PER_STEP)
                : MAX_ITEMS_PER_STEP;
    }
}
