package orrery.replication;

import java.time.Duration;
import java.util.Optional;
import orrery.model.OrreryException;

/**
 * One ordered log of commands. A command that was submitted is carried out at most once; when
 * {@code submit} returns, its effects are durable and visible.
 */
public interface CommandLog<C, O> extends AutoCloseable {
    /**
     * Waits for the outcome. Throws {@code OrreryException}: {@code TIMEOUT} when the wait was too
     * long and the command may or may not happen, {@code TOO_MANY_REQUESTS} when too much is
     * already waiting, {@code UNAVAILABLE} when the log has stopped.
     */
    O submit(C command, Duration timeout);

    /** Why the log takes no commands any more, where a failure has stopped it. */
    default Optional<OrreryException> failure() {
        return Optional.empty();
    }

    @Override
    void close();
}
