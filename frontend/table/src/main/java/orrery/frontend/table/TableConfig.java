package orrery.frontend.table;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;
import orrery.model.ConsistencyPolicy;
import orrery.model.Throughput;

/**
 * The account that the Table API serves.
 *
 * @param accountId names the account in annotations where a path names none
 * @param consistency of all reads, as it is at this moment
 * @param defaultThroughput of a table whose creator asks for none, as it is at this moment
 * @param requestTimeout how long the engine may take over one request
 * @param clock tells the time that errors name
 */
public record TableConfig(
        String accountId,
        Supplier<ConsistencyPolicy> consistency,
        Supplier<Throughput> defaultThroughput,
        Duration requestTimeout,
        InstantSource clock) {
    /** The throughput of a table for which nobody asks for one, as in the service. */
    public static final int DEFAULT_REQUEST_UNITS = 400;

    /** An account as it is unless settings say otherwise. */
    public static TableConfig standard() {
        return new TableConfig(
                "orrery",
                () -> ConsistencyPolicy.SESSION,
                () -> new Throughput.Manual(DEFAULT_REQUEST_UNITS),
                Duration.ofSeconds(30),
                InstantSource.system());
    }
}
