package orrery.frontend.gremlin;

import java.time.Duration;
import java.util.function.Supplier;
import orrery.model.ConsistencyPolicy;

/**
 * The account that the Gremlin API serves.
 *
 * @param consistency of all reads, as it is at this moment
 * @param timeout the longest time that one traversal may take; clients may ask for less
 */
public record GremlinConfig(Supplier<ConsistencyPolicy> consistency, Duration timeout) {
    /** The service ends a traversal after this. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

    public static GremlinConfig standard() {
        return new GremlinConfig(() -> ConsistencyPolicy.SESSION, DEFAULT_TIMEOUT);
    }
}
