package orrery.partition;

import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import orrery.model.PartitionId;
import orrery.partition.machine.PartitionState;

/**
 * The time in the partitions of a set: that of the clock, but never earlier than a time that was
 * stamped or told before. Writers and readers of a partition ask here, so that an item that was
 * gone stays gone. A partition that is ahead of the clock goes on at half pace ({@link PacedTime});
 * how far it had come before a restart is in its record.
 */
final class PartitionTimes {
    private final Replica replica;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final PacedTime ofLog;
    private final Map<PartitionId, PacedTime> times = new ConcurrentHashMap<>();

    PartitionTimes(Replica replica, InstantSource clock, LongSupplier nanoTime) {
        this.replica = replica;
        this.clock = clock;
        this.nanoTime = nanoTime;
        long nanos = nanoTime.getAsLong();
        this.ofLog = new PacedTime(replica.timeMillis(), nanos);
        // From now on, and not from when somebody first asks.
        replica.forEachPartition(
                (id, state) -> times.put(id, new PacedTime(state.record().timeMillis(), nanos)));
    }

    /** Returns the time for a partition that is not there yet. */
    long clockMillis() {
        return clock.millis();
    }

    /** The stamp of a write. */
    long now(PartitionId id, PartitionState state) {
        long least = Math.max(clock.millis(), state.record().timeMillis());
        long nanos = nanoTime.getAsLong();
        return times.computeIfAbsent(id, _ -> new PacedTime(least, nanos)).advance(least, nanos);
    }

    /**
     * Returns the time for readers. If nothing expires, a reader needs no time and leaves that of
     * the partition unchanged.
     */
    long nowForReaders(PartitionId id, PartitionState state) {
        return state.definition().current().definition().expires()
                ? now(id, state)
                : state.record().timeMillis();
    }

    /** The time by which the log forgets requests: that of the partition furthest ahead. */
    long nowOfLog() {
        return ofLog.advance(Math.max(clock.millis(), replica.timeMillis()), nanoTime.getAsLong());
    }

    boolean isLogAhead() {
        return replica.timeMillis() > clock.millis();
    }

    /** Returns how far the furthest partition is ahead of the clock; 0 if none is. */
    long aheadMillis() {
        long now = clock.millis();
        long nanos = nanoTime.getAsLong();
        AtomicLong furthest = new AtomicLong(now);
        replica.forEachPartition(
                (id, state) -> {
                    PacedTime time = times.get(id);
                    long told = time == null ? 0 : time.peek(nanos);
                    furthest.accumulateAndGet(
                            Math.max(told, state.record().timeMillis()), Math::max);
                });
        return furthest.get() - now;
    }

    /** Forgets partitions that are not there any more; their heirs have their times on record. */
    void tidy() {
        times.keySet().removeIf(id -> replica.find(id).isEmpty());
    }
}
