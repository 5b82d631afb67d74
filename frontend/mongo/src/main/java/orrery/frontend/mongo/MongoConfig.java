package orrery.frontend.mongo;

import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import orrery.model.ConsistencyPolicy;

/**
 * The account that the MongoDB API serves.
 *
 * @param advertisedHost the name by which clients reach the server, where it is not the one that
 *     they came to
 * @param consistency of all reads, as it is at this moment
 * @param requestTimeout how long the engine may take over one command, if it says nothing itself
 * @param clock the time of the machine
 * @param needsLogin false where an operator lets in everybody on this machine
 * @param failPoints true for tests of drivers: {@code configureFailPoint} is there
 */
public record MongoConfig(
        Optional<String> advertisedHost,
        Supplier<ConsistencyPolicy> consistency,
        Duration requestTimeout,
        Clock clock,
        boolean needsLogin,
        boolean failPoints) {
    /** The name of the replica set, which connection strings of the service carry. */
    public static final String REPLICA_SET = "globaldb";

    /** The service gives up after this. */
    public static final Duration DEFAULT_REQUEST_TIMEOUT = Duration.ofSeconds(60);

    public static MongoConfig standard() {
        return new MongoConfig(
                Optional.empty(),
                () -> ConsistencyPolicy.SESSION,
                DEFAULT_REQUEST_TIMEOUT,
                Clock.systemUTC(),
                true,
                false);
    }
}
