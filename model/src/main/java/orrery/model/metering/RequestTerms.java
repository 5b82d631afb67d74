package orrery.model.metering;

import orrery.model.Etag;
import orrery.model.Precondition;

/**
 * The terms of a request for its metering.
 *
 * @param mayUseMinute false when it asks not to be paid from the budget of the minute
 * @param replicas how many replicas' work it stands for: reads at the stronger levels ask two
 * @param known holds for the version the client has: a read that finds that one costs less
 */
public record RequestTerms(
        Priority priority, boolean mayUseMinute, int replicas, Precondition known) {
    /** The terms of a request that names none. */
    public static final RequestTerms STANDARD = new RequestTerms(Priority.HIGH, true, 1);

    public enum Priority {
        HIGH,
        LOW
    }

    /** Makes the terms of a client that has no version of the item it asks for. */
    public RequestTerms(Priority priority, boolean mayUseMinute, int replicas) {
        this(priority, mayUseMinute, replicas, new Precondition.Impossible());
    }

    public boolean isLow() {
        return priority == Priority.LOW;
    }

    public RequestTerms withReplicas(int count) {
        return count == replicas ? this : new RequestTerms(priority, mayUseMinute, count, known);
    }

    public boolean isKnown(Etag etag) {
        return Precondition.holds(known, etag);
    }
}
