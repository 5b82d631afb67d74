package orrery.model.metering;

/**
 * What a request says about how it is metered.
 *
 * @param mayUseMinute false when it asks not to be paid from the budget of the minute
 * @param replicas how many replicas' work it stands for: reads at the stronger levels ask two
 */
public record RequestTerms(Priority priority, boolean mayUseMinute, int replicas) {
    /** Of a request that says nothing. */
    public static final RequestTerms STANDARD = new RequestTerms(Priority.HIGH, true, 1);

    public enum Priority {
        HIGH,
        LOW
    }

    public boolean isLow() {
        return priority == Priority.LOW;
    }

    public RequestTerms withReplicas(int count) {
        return count == replicas ? this : new RequestTerms(priority, mayUseMinute, count);
    }
}
