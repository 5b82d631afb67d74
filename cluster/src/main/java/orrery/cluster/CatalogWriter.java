package orrery.cluster;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import orrery.cluster.catalog.CatalogCommand;
import orrery.cluster.catalog.CatalogOutcome;
import orrery.cluster.catalog.CatalogRequest;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestId;
import orrery.replication.CommandLog;

/** Sends commands to the catalog's log, each with a stamp and under an id of its own. */
final class CatalogWriter implements AutoCloseable {
    private final CommandLog<CatalogRequest, CatalogOutcome> log;
    private final InstantSource clock;
    private final long sender;
    private final AtomicLong sent = new AtomicLong();

    /**
     * @param random tells this sender from all others, those before a restart included
     */
    CatalogWriter(
            CommandLog<CatalogRequest, CatalogOutcome> log,
            InstantSource clock,
            RandomGenerator random) {
        this.log = log;
        this.clock = clock;
        this.sender = random.nextLong();
    }

    /** Waits for the outcome; a rejection is one, too. */
    CatalogOutcome send(CatalogCommand command, Duration timeout) {
        RequestId id = new RequestId(sender, sent.incrementAndGet());
        return log.submit(new CatalogRequest(id, clock.millis(), command), timeout);
    }

    /** Like {@link #send}, but throws what the catalog refuses. */
    CatalogOutcome submit(CatalogCommand command, Duration timeout) {
        CatalogOutcome outcome = send(command, timeout);
        if (outcome instanceof CatalogOutcome.Rejected(ErrorCode code, String text)) {
            throw new OrreryException(code, text);
        }
        return outcome;
    }

    /** Why the log takes no commands any more, where a failure has stopped it. */
    Optional<OrreryException> failure() {
        return log.failure();
    }

    @Override
    public void close() {
        log.close();
    }
}
