package orrery.gateway.api;

import java.time.Duration;
import java.time.Instant;

/**
 * A page of a stream of changes.
 *
 * @param maxEvents at least 1
 * @param patience how long to wait where there is nothing new
 */
public record StreamRequest(StreamScope scope, Start start, int maxEvents, Duration patience) {
    public StreamRequest {
        if (maxEvents < 1) {
            throw new IllegalArgumentException("a page has room for an event");
        }
    }

    /** The place where reading starts. */
    public sealed interface Start {
        /** Behind all that has been written when the call is made. */
        record Now() implements Start {}

        /** With what was written at a time or later. */
        record At(Instant time) implements Start {}

        /** Behind an event, or where an earlier page ended. */
        record After(String token) implements Start {}

        /** Like {@link After}, but a stream that had ended begins anew, with what came later. */
        record Anew(String token) implements Start {}
    }
}
