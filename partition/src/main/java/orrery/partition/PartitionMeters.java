package orrery.partition;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import orrery.model.PartitionId;
import orrery.model.PartitionKey;
import orrery.partition.api.Budget;
import orrery.partition.meter.Meter;
import orrery.partition.meter.MeterSettings;
import orrery.partition.meter.PartitionMeter;

/**
 * The meters of the partitions led here. Budgets are told by the catalog and not kept: after a
 * start, until it has told them, nothing is refused.
 */
final class PartitionMeters {
    private static final MeterSettings UNLIMITED = new MeterSettings(false, false, false, false);

    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final Map<PartitionId, PartitionMeter> meters = new ConcurrentHashMap<>();
    private final Map<Budget.Slot, Meter> slots = new ConcurrentHashMap<>();
    private final Map<PartitionId, Budget> budgets = new ConcurrentHashMap<>();

    /**
     * @param nanoTime by which budgets fill up
     */
    PartitionMeters(InstantSource clock, LongSupplier nanoTime) {
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    /** The time to ask and to charge the meters with. */
    long nanoTime() {
        return nanoTime.getAsLong();
    }

    PartitionMeter of(PartitionId id) {
        PartitionMeter meter = meters.get(id);
        return meter != null ? meter : meters.computeIfAbsent(id, _ -> unlimited());
    }

    /** The meter of a partition that may be gone; it is not called back to life. */
    Optional<PartitionMeter> find(PartitionId id) {
        return Optional.ofNullable(meters.get(id));
    }

    Optional<Budget> budget(PartitionId id) {
        return Optional.ofNullable(budgets.get(id));
    }

    private PartitionMeter unlimited() {
        long now = nanoTime();
        return PartitionMeter.alone(Meter.of(1, UNLIMITED, now, clock), now);
    }

    synchronized void set(PartitionId id, Budget budget) {
        long now = nanoTime();
        MeterSettings settings = settings(budget);
        Budget before = budgets.put(id, budget);
        boolean isSamePlace = before != null && before.slot().equals(budget.slot());
        if (isSamePlace) {
            of(id).meter().change(budget.ruPerSecond(), settings, now);
            return;
        }
        PartitionMeter old = meters.get(id);
        PartitionMeter meter =
                budget.slot()
                        .map(slot -> PartitionMeter.sharing(slot(slot, budget, now), now))
                        .orElseGet(
                                () ->
                                        PartitionMeter.alone(
                                                Meter.of(
                                                        budget.ruPerSecond(), settings, now, clock),
                                                now));
        if (old != null) {
            meter.takeOverKeys(old, _ -> true, now);
            meter.continueUsage(List.of(old), 1, now);
        }
        meters.put(id, meter);
    }

    private Meter slot(Budget.Slot slot, Budget budget, long now) {
        Meter shared =
                slots.computeIfAbsent(
                        slot, _ -> Meter.of(budget.ruPerSecond(), settings(budget), now, clock));
        shared.change(budget.ruPerSecond(), settings(budget), now);
        return shared;
    }

    /** A child goes on with its part of what the parent had left, so a split gives nothing away. */
    synchronized void inherit(
            PartitionId parent, PartitionId child, double share, Predicate<PartitionKey> isMine) {
        PartitionMeter from = meters.get(parent);
        if (from == null || budgets.containsKey(child)) {
            return;
        }
        long now = nanoTime();
        Budget whole = budgets.get(parent);
        PartitionMeter meter;
        if (whole == null) {
            meter = unlimited();
        } else {
            Budget budget =
                    new Budget(
                            whole.ruPerSecond() * share,
                            whole.throttling(),
                            whole.extras(),
                            whole.slot());
            meter =
                    budget.slot().isPresent()
                            ? PartitionMeter.sharing(from.meter(), now)
                            : heir(budget, from.meter().balance(now).share(share), now);
            budgets.put(child, budget);
        }
        meter.takeOverKeys(from, isMine, now);
        meter.continueUsage(List.of(from), share, now);
        meters.put(child, meter);
    }

    private PartitionMeter heir(Budget budget, Meter.Balance balance, long now) {
        return PartitionMeter.alone(
                Meter.withBalance(balance, budget.ruPerSecond(), settings(budget), now, clock),
                now);
    }

    /** A merged partition goes on with what both had left and with the keys of both. */
    synchronized void join(PartitionId left, PartitionId right, PartitionId into) {
        PartitionMeter first = meters.get(left);
        PartitionMeter second = meters.get(right);
        if (first != null && second != null && !budgets.containsKey(into)) {
            long now = nanoTime();
            Budget one = budgets.get(left);
            Budget other = budgets.get(right);
            PartitionMeter meter;
            if (one == null || other == null) {
                meter = unlimited();
            } else {
                Budget budget =
                        new Budget(
                                one.ruPerSecond() + other.ruPerSecond(),
                                one.throttling(),
                                one.extras(),
                                Optional.empty());
                Meter.Balance both = first.meter().balance(now).plus(second.meter().balance(now));
                meter = heir(budget, both, now);
                budgets.put(into, budget);
            }
            meter.takeOverKeys(first, _ -> true, now);
            meter.takeOverKeys(second, _ -> true, now);
            meter.continueUsage(List.of(first, second), 1, now);
            meters.put(into, meter);
        }
        forget(left);
        forget(right);
    }

    synchronized void forget(PartitionId id) {
        meters.remove(id);
        budgets.remove(id);
    }

    private static MeterSettings settings(Budget budget) {
        return new MeterSettings(
                budget.throttling(),
                budget.extras().perMinute(),
                budget.extras().burst(),
                budget.extras().priorities(),
                budget.extras().buckets());
    }
}
