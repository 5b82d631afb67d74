package orrery.frontend.sql;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import orrery.model.ConsistencyPolicy;

/**
 * The account that the SQL API serves.
 *
 * @param accountId shown as the account's id; never {@code localhost}, which makes the JavaScript
 *     SDK read the account again before every operation
 * @param region name of the one region
 * @param advertise the endpoint to hand out instead of the one a request came to
 * @param consistency of requests that ask for none, as it is at this moment
 * @param requestTimeout how long the engine may take over one request
 */
public record SqlConfig(
        String accountId,
        String region,
        Optional<URI> advertise,
        Supplier<ConsistencyPolicy> consistency,
        Duration requestTimeout) {
    public SqlConfig {
        if (accountId.isEmpty() || accountId.equals("localhost")) {
            throw new IllegalArgumentException(
                    "the id of an account may be neither empty nor localhost");
        }
    }

    /** An account as it is unless settings say otherwise. */
    public static SqlConfig standard() {
        return new SqlConfig(
                "orrery",
                "Local",
                Optional.empty(),
                () -> ConsistencyPolicy.SESSION,
                Duration.ofSeconds(30));
    }

    public SqlConfig withAdvertise(URI endpoint) {
        return new SqlConfig(accountId, region, Optional.of(endpoint), consistency, requestTimeout);
    }
}
