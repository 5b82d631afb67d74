package orrery.model;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The consistency that an account gives to requests that ask for none.
 *
 * @param maxStalenessPrefix how many versions reads may lag behind, with bounded staleness only
 * @param maxIntervalSeconds for how long they may, likewise
 */
public record ConsistencyPolicy(
        ConsistencyLevel level, int maxStalenessPrefix, int maxIntervalSeconds) {
    /** The bounds of the service for an account in one region. */
    public static final int LEAST_PREFIX = 10;

    public static final int LEAST_INTERVAL = 5;
    public static final int MOST_INTERVAL = 86_400;

    /** The service's own numbers where an account names none. */
    public static final int DEFAULT_PREFIX = 100;

    public static final int DEFAULT_INTERVAL = 5;

    public static final ConsistencyPolicy SESSION = of(ConsistencyLevel.SESSION);

    public ConsistencyPolicy {
        if (maxStalenessPrefix < LEAST_PREFIX) {
            throw new IllegalArgumentException(
                    "a staleness of fewer than " + LEAST_PREFIX + " versions");
        }
        if (maxIntervalSeconds < LEAST_INTERVAL || maxIntervalSeconds > MOST_INTERVAL) {
            throw new IllegalArgumentException(
                    "a staleness outside of "
                            + LEAST_INTERVAL
                            + " to "
                            + MOST_INTERVAL
                            + " seconds");
        }
    }

    public static ConsistencyPolicy of(ConsistencyLevel level) {
        return new ConsistencyPolicy(level, DEFAULT_PREFIX, DEFAULT_INTERVAL);
    }

    public void write(BinaryWriter out) {
        out.enumeration(level).u32(maxStalenessPrefix).u32(maxIntervalSeconds);
    }

    public static ConsistencyPolicy read(BinaryReader in) {
        return in.checked(
                r ->
                        new ConsistencyPolicy(
                                r.enumeration(ConsistencyLevel.class), r.u32(), r.u32()));
    }
}
