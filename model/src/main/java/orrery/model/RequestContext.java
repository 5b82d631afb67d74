package orrery.model;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import orrery.model.metering.RequestTerms;
import orrery.model.resource.PermissionMode;
import orrery.model.security.TokenScope;

/**
 * The context of a request from its front-end through the gateway: who asks, how fresh an answer
 * must be, and until when it is wanted.
 *
 * @param consistency the level of a read; absent where the weakest will do
 * @param deadlineNanos on the {@link System#nanoTime} clock of this node
 */
public record RequestContext(
        UUID activityId,
        Principal principal,
        Optional<SessionToken> sessionToken,
        Optional<ConsistencyLevel> consistency,
        RequestTerms terms,
        long deadlineNanos) {
    /** A request that says nothing about how it is metered. */
    public RequestContext(
            UUID activityId,
            Principal principal,
            Optional<SessionToken> sessionToken,
            Optional<ConsistencyLevel> consistency,
            long deadlineNanos) {
        this(
                activityId,
                principal,
                sessionToken,
                consistency,
                RequestTerms.STANDARD,
                deadlineNanos);
    }

    /**
     * The sender of a request. Front-ends authenticate; the gateway checks what the principal may
     * do.
     */
    public sealed interface Principal {
        /** Names the kind of credential, for people: it is the same for all who have one. */
        String kind();

        /** Holder of an account key. */
        record Account(boolean readOnly) implements Principal {
            @Override
            public String kind() {
                return readOnly ? "read-only key" : "read-write key";
            }
        }

        /** Holder of a resource token, which opens what one permission grants. */
        record Resource(PermissionMode mode, TokenScope scope) implements Principal {
            @Override
            public String kind() {
                return "resource token";
            }
        }
    }

    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
    }

    public boolean isExpired() {
        return deadlineNanos - System.nanoTime() <= 0;
    }
}
