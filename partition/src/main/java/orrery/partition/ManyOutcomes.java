package orrery.partition;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.RequestScope;
import orrery.model.SizeLimits;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;
import orrery.partition.api.WriteAction;
import orrery.partition.machine.Outcome;

/**
 * Writes the changes of a page and knows what came of them. Those of one logical partition are
 * written in their order, as few commands; logical partitions are written at the same time, so that
 * their commands share entries of the log. A change whose item another write has changed is planned
 * again.
 */
final class ManyOutcomes {
    /** Changes of one command. If one of them is stale, all have to be sent again. */
    private static final int MAX_CHANGES = 100;

    private final WriteRun writeRun;
    private final WriteAction action;
    private final Function<PartitionKey, KeySize> keySizes;
    private final Function<PlannedChange, Optional<PlannedChange>> again;
    private final AtomicInteger attempts = new AtomicInteger();

    private final Set<Long> open = new HashSet<>();
    private final TreeMap<Long, OrreryException> failures = new TreeMap<>(Long::compareUnsigned);
    private boolean isMoved;
    private long matched;
    private long modified;
    private long lsn;
    private Charge charge = Charge.NONE;

    /**
     * @param again plans a change from the version that is there now; empty if the item no longer
     *     matches
     */
    ManyOutcomes(
            WriteRun writeRun,
            WriteAction action,
            Function<PartitionKey, KeySize> keySizes,
            Function<PlannedChange, Optional<PlannedChange>> again) {
        this.writeRun = writeRun;
        this.action = action;
        this.keySizes = keySizes;
        this.again = again;
    }

    /**
     * Writes the changes, each list those of one logical partition. A page that was sent before
     * meets its own first command here, so that goes before all others.
     */
    void write(List<List<PlannedChange>> byKey) {
        byKey.forEach(ofKey -> ofKey.forEach(each -> open.add(each.docid())));
        if (byKey.isEmpty()) {
            return;
        }
        writeKey(byKey.getFirst());
        List<Future<?>> running = new ArrayList<>();
        RequestScope scope = RequestScope.current();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (List<PlannedChange> ofKey : byKey.subList(1, byKey.size())) {
                running.add(threads.submit(() -> scope.during(() -> writeKey(ofKey))));
            }
        }
        for (Future<?> each : running) {
            if (each.state() == Future.State.FAILED) {
                throw new IllegalStateException("a write to many items", each.exceptionNow());
            }
        }
    }

    /** Returns false if the rest of the page is not to be written. */
    private boolean writeKey(List<PlannedChange> ofKey) {
        int from = 0;
        while (from < ofKey.size()) {
            int to = from + 1;
            long bytes = ofKey.get(from).bytes();
            while (to < ofKey.size()
                    && to - from < MAX_CHANGES
                    && bytes + ofKey.get(to).bytes() <= SizeLimits.PACKED_ENTRY_BYTES) {
                bytes += ofKey.get(to).bytes();
                to++;
            }
            if (!writeAll(ofKey.subList(from, to))) {
                return false;
            }
            from = to;
        }
        return true;
    }

    private boolean writeAll(List<PlannedChange> changes) {
        if (changes.isEmpty()) {
            return true;
        }
        if (isStopped()) {
            return false;
        }
        try {
            WriteRun.Decision decision = submit(changes);
            if (!(decision.outcome() instanceof Outcome.Rejected rejected)) {
                written(changes, decision);
                return true;
            }
            if (rejected.code() == ErrorCode.RANGE_GONE) {
                throw Refusals.of(ErrorCode.RANGE_GONE, Charge.NONE);
            }
            int at = rejected.index();
            return writeAll(changes.subList(0, at))
                    && writeRefused(changes.get(at), decision, rejected)
                    && writeAll(changes.subList(at + 1, changes.size()));
        } catch (OrreryException failure) {
            stop(changes.getFirst(), failure);
            return false;
        }
    }

    /** Writes a change that was refused, if the reason is that another write came between. */
    private boolean writeRefused(
            PlannedChange refused, WriteRun.Decision first, Outcome.Rejected firstRefusal) {
        try {
            PlannedChange planned = refused;
            WriteRun.Decision decision = first;
            Outcome.Rejected rejected = firstRefusal;
            while (planned.change().isStale(rejected.code())) {
                if (writeRun.isTimeOver()) {
                    throw new OrreryException(
                            ErrorCode.RETRY_WITH,
                            "An item kept changing while the write was evaluated. Retry.");
                }
                Optional<PlannedChange> next = again.apply(planned);
                if (next.isEmpty()) {
                    ceased(planned);
                    return true;
                }
                planned = next.get();
                if (planned.change().isNone()) {
                    unchanged(planned);
                    return true;
                }
                decision = submit(List.of(planned));
                if (!(decision.outcome() instanceof Outcome.Rejected)) {
                    written(List.of(planned), decision);
                    return true;
                }
                rejected = (Outcome.Rejected) decision.outcome();
            }
            throw decision.refusal(rejected);
        } catch (OrreryException failure) {
            stop(refused, failure);
            return false;
        }
    }

    private WriteRun.Decision submit(List<PlannedChange> changes) {
        WriteRun.Decision decision =
                writeRun.submitToTheEnd(
                        attempts.getAndIncrement(),
                        changes.stream().map(each -> each.change().change()).toList());
        if (decision.isRepeated()) {
            throw new OrreryException(
                    ErrorCode.TIMEOUT,
                    "This page of a write to many items was sent before, and it is not known how far"
                            + " it came. Read the items.");
        }
        return decision;
    }

    private void written(List<PlannedChange> changes, WriteRun.Decision decision) {
        Outcome.Written written =
                decision.written(keySizes.apply(changes.getFirst().key().partitionKey()));
        synchronized (this) {
            for (int i = 0; i < changes.size(); i++) {
                open.remove(changes.get(i).docid());
                charge = charge.plus(Charges.of(action, written.items().get(i)));
            }
            matched += changes.size();
            modified += changes.size();
            lsn = Math.max(lsn, written.lsn());
        }
    }

    /** Counts an item that is what it would become. */
    synchronized void unchanged(PlannedChange planned) {
        open.remove(planned.docid());
        matched++;
        charge =
                charge.plus(
                        RequestCharge.refusedWrite(RequestCharge.itemBytes(planned.seenBytes())));
    }

    private synchronized void ceased(PlannedChange planned) {
        open.remove(planned.docid());
    }

    private synchronized void stop(PlannedChange at, OrreryException failure) {
        if (failure.code() == ErrorCode.RANGE_GONE) {
            isMoved = true;
        } else {
            failures.put(at.docid(), failure);
        }
    }

    private synchronized boolean isStopped() {
        return isMoved || !failures.isEmpty();
    }

    /** Returns true if the partition was split or merged before all was written. */
    boolean isMoved() {
        return isMoved;
    }

    /** Returns the docids of the items that are still to be done. */
    Set<Long> open() {
        return open;
    }

    /** Returns the failure of the first item, in the order of the walk, that has one. */
    Optional<OrreryException> failure() {
        return failures.values().stream().findFirst();
    }

    long matched() {
        return matched;
    }

    long modified() {
        return modified;
    }

    long lsn() {
        return lsn;
    }

    Charge charge() {
        return charge;
    }
}
