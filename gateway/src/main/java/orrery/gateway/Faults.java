package orrery.gateway;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import orrery.gateway.api.Fault;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.resource.Container;

/**
 * The faults that are set, in memory only. Every request for an item passes here, so the usual
 * case, none, is one volatile read. Safe for many threads.
 */
final class Faults {
    /** Long enough to be seen in a client's timings, short enough not to be waited for. */
    private static final Duration RETRY_AFTER = Duration.ofMillis(100);

    /**
     * @param left of a counted fault, the requests it still takes
     */
    private record Armed(Fault fault, int database, AtomicInteger left) {}

    private final RandomGenerator random;

    /** By container number; numbers are never used again. Replaced as a whole. */
    private volatile Map<Integer, Armed> armed = Map.of();

    Faults(RandomGenerator random) {
        this.random = random;
    }

    synchronized void set(Container container, Fault fault) {
        int count = fault.extent() instanceof Fault.Extent.Next(int next) ? next : 0;
        Map<Integer, Armed> next = new HashMap<>(armed);
        next.put(
                container.number(),
                new Armed(fault, container.database(), new AtomicInteger(count)));
        armed = Map.copyOf(next);
    }

    synchronized void clear() {
        armed = Map.of();
    }

    synchronized void clear(int container) {
        Map<Integer, Armed> next = new HashMap<>(armed);
        next.remove(container);
        armed = Map.copyOf(next);
    }

    synchronized void clearDatabase(int database) {
        Map<Integer, Armed> next = new HashMap<>(armed);
        next.values().removeIf(each -> each.database() == database);
        armed = Map.copyOf(next);
    }

    /** Unless another has been set meanwhile. */
    private synchronized void clearSpent(int container, Armed spent) {
        if (spent.equals(armed.get(container))) {
            clear(container);
        }
    }

    Optional<Fault> find(Container container) {
        Armed found = armed.get(container.number());
        if (found == null) {
            return Optional.empty();
        }
        return switch (found.fault().extent()) {
            case Fault.Extent.Share _ -> Optional.of(found.fault());
            case Fault.Extent.Next _ -> {
                int left = found.left().get();
                yield left < 1
                        ? Optional.empty()
                        : Optional.of(new Fault(found.fault().code(), new Fault.Extent.Next(left)));
            }
        };
    }

    /** Throws where this request is one of those that fail. */
    void check(Container container) {
        Map<Integer, Armed> now = armed;
        if (now.isEmpty()) {
            return;
        }
        Armed found = now.get(container.number());
        if (found != null && takes(container, found)) {
            throw failure(found.fault().code());
        }
    }

    private boolean takes(Container container, Armed found) {
        return switch (found.fault().extent()) {
            case Fault.Extent.Share(double rate) -> random.nextDouble() < rate;
            case Fault.Extent.Next _ -> {
                int left = found.left().decrementAndGet();
                if (left == 0) {
                    clearSpent(container.number(), found);
                }
                yield left >= 0;
            }
        };
    }

    private static OrreryException failure(ErrorCode code) {
        OrreryException failure =
                new OrreryException(
                        code,
                        "A fault on demand: this container has been told to answer "
                                + code.status()
                                + ". Nothing was done. Switch it off with `orrery lab fault ..."
                                + " --off`.");
        return code == ErrorCode.TOO_MANY_REQUESTS ? failure.withRetryAfter(RETRY_AFTER) : failure;
    }
}
