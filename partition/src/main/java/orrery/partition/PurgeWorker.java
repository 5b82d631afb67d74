package orrery.partition;

import java.lang.System.Logger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.model.PartitionId;
import orrery.partition.machine.Command;
import orrery.partition.machine.ForgetDeletion;
import orrery.partition.machine.Outcome;
import orrery.partition.machine.PartitionState;
import orrery.partition.machine.Presence;
import orrery.partition.meter.Meter;
import orrery.partition.meter.PartitionMeter;
import orrery.storage.Cursor;
import orrery.storage.StoreFailure;
import orrery.storage.StoreSnapshot;
import orrery.storage.Table;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.KeyDeletions;
import orrery.storage.format.Keys;

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

    /** The rows of deleted keys may take this part of the throughput, as in the service. */
    private static final double DELETION_SHARE = 0.1;

    /** Requests have the first call on this part of a second's budget. */
    private static final double RESERVED_SECONDS = 0.5;

    /** Request units per second that allow one more item in a step. */
    private static final double RU_PER_ITEM = 100;

    private final Replica replica;
    private final PartitionMeters meters;
    private final PartitionTimes times;
    private final Semaphore wakeUp = new Semaphore(0);
    private final Map<PartitionId, Long> examined = new ConcurrentHashMap<>();
    private final LongAdder purged = new LongAdder();

    /** The progress through the rows of a deleted key; items after it are later ones. */
    private final Map<KeyDeletions.Deletion, Bytes> passed = new ConcurrentHashMap<>();

    private final Map<PartitionId, Long> deletionsNotBeforeNanos = new ConcurrentHashMap<>();
    private final BackgroundThread thread;

    PurgeWorker(Replica replica, PartitionMeters meters, PartitionTimes times) {
        this.replica = replica;
        this.meters = meters;
        this.times = times;
        this.thread = BackgroundThread.start("purge", this::run);
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
        thread.close();
    }

    private void run() throws InterruptedException {
        while (replica.failure().isEmpty()) {
            if (!pass()) {
                boolean isWoken = wakeUp.tryAcquire(REST.toMillis(), TimeUnit.MILLISECONDS);
                if (isWoken) {
                    wakeUp.drainPermits();
                }
            }
        }
    }

    /** One step in each partition that has something to purge; whether any was made. */
    private boolean pass() throws InterruptedException {
        examined.keySet().removeIf(id -> replica.find(id).isEmpty());
        deletionsNotBeforeNanos.keySet().removeIf(id -> replica.find(id).isEmpty());
        List<PartitionId> due = new ArrayList<>();
        Set<KeyDeletions.Deletion> deletions = new HashSet<>();
        replica.forEachPartition(
                (id, state) -> {
                    deletions.addAll(state.deletions().deletions());
                    if (!state.presence(state.record().timeMillis()).isOfAll()) {
                        due.add(id);
                    }
                });
        passed.keySet().retainAll(deletions);
        boolean isAnyPurged = false;
        for (PartitionId id : due) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            try {
                PartitionState state = replica.find(id).orElse(null);
                if (state != null && isSpare(id)) {
                    isAnyPurged |= purgeExpired(id, state);
                    isAnyPurged |= purgeDeleted(id, state);
                }
            } catch (OrreryException | StoreFailure failure) {
                LOG.log(
                        BackgroundThread.levelOf(failure),
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
                || meter.balanceRu(meters.nanoTime()) > meter.ruPerSecond() * RESERVED_SECONDS;
    }

    private boolean purgeExpired(PartitionId id, PartitionState state) {
        if (state.isFailed()) {
            return false;
        }
        Presence presence = state.presence(times.nowForReaders(id, state));
        return presence.mayExpire()
                && purge(id, presence, expired(id, state, presence)).orElse(0) > 0;
    }

    /** Goes on with the first deleted key; whether there was anything to do. */
    private boolean purgeDeleted(PartitionId id, PartitionState state) {
        long now = meters.nanoTime();
        Long notBefore = deletionsNotBeforeNanos.get(id);
        if (state.isFailed()
                || state.deletions().isEmpty()
                || (notBefore != null && now - notBefore < 0)) {
            return false;
        }
        KeyDeletions.Deletion deletion = state.deletions().deletions().getFirst();
        Presence presence = state.presence(times.now(id, state));
        RowWalk walk = new RowWalk(id, presence, deletion);
        List<Command.Purge.Target> targets = walk.run();
        OptionalDouble ru = purge(id, presence, targets);
        if (ru.isEmpty()) {
            return false; // the partition was split or merged; its heirs go on
        }
        if (walk.isEnd && targets.isEmpty()) {
            replica.submit(new ForgetDeletion(id, deletion), STEP_TIMEOUT);
            passed.remove(deletion);
            return true;
        }
        passed.put(deletion, walk.last);
        Meter meter = meters.of(id).meter();
        if (meter.settings().throttling()) {
            double seconds = ru.getAsDouble() / (meter.ruPerSecond() * DELETION_SHARE);
            deletionsNotBeforeNanos.put(id, now + (long) (seconds * 1e9));
        }
        return true;
    }

    /** Purges items and returns the cost; empty if the partition is not there any more. */
    private OptionalDouble purge(
            PartitionId id, Presence presence, List<Command.Purge.Target> targets) {
        if (targets.isEmpty()) {
            return OptionalDouble.of(0);
        }
        Outcome outcome =
                replica.submit(new Command.Purge(id, presence.nowMillis(), targets), STEP_TIMEOUT);
        if (!(outcome instanceof Outcome.Written done)) {
            return outcome instanceof Outcome.Done ? OptionalDouble.of(0) : OptionalDouble.empty();
        }
        PartitionMeter meter = meters.of(id);
        double ru = done.items().stream().mapToDouble(item -> Charges.ofPurge(item).ru()).sum();
        meter.chargeUpkeep(ru, meters.nanoTime());
        purged.add(done.items().size());
        return OptionalDouble.of(ru);
    }

    /** The next rows of a deleted key. */
    private final class RowWalk {
        private final PartitionId id;
        private final Presence presence;
        private final KeyDeletions.Deletion deletion;
        private Bytes last;
        private boolean isEnd;

        RowWalk(PartitionId id, Presence presence, KeyDeletions.Deletion deletion) {
            this.id = id;
            this.presence = presence;
            this.deletion = deletion;
            this.last = passed.getOrDefault(deletion, Bytes.EMPTY);
        }

        List<Command.Purge.Target> run() {
            int atMost = itemsPerStep(meters.of(id).meter());
            List<Command.Purge.Target> targets = new ArrayList<>();
            int container = id.container();
            byte[] from =
                    Keys.itemsFrom(container, deletion.keys().min(), presence.keyDefinition());
            byte[] to = Keys.itemsFrom(container, deletion.keys().max(), presence.keyDefinition());
            if (!last.isEmpty()) {
                from = Keys.item(container, last);
            }
            int looked = 0;
            try (Cursor rows = replica.store().scan(Table.ITEMS, from, to)) {
                while (looked < MAX_LOOKED && targets.size() < atMost) {
                    if (!rows.next()) {
                        isEnd = true;
                        break;
                    }
                    looked++;
                    last = Keys.itemSuffix(rows.key());
                    ItemRecord item = ItemRecord.decode(rows.value());
                    if (presence.isGone(last, item)) {
                        targets.add(new Command.Purge.Target(last, item.etag()));
                    }
                }
            }
            return targets;
        }
    }

    private List<Command.Purge.Target> expired(
            PartitionId id, PartitionState state, Presence presence) {
        int atMost = itemsPerStep(meters.of(id).meter());
        List<Command.Purge.Target> targets = new ArrayList<>();
        try (StoreSnapshot snapshot = replica.store().snapshot()) {
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
