package orrery.model;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import orrery.model.metering.RequestTerms;
import orrery.model.resource.PermissionMode;
import orrery.model.security.KeyKind;
import orrery.model.security.SharedAccess;
import orrery.model.security.TokenScope;

/**
 * The context of a request from its front-end through the gateway: who asks, how fresh an answer
 * must be, and until when it is wanted.
 *
 * @param consistency the level of a read; absent where the weakest will do
 * @param deadlineNanos on the {@link System#nanoTime} clock of this node
 * @param transaction the one that the request is an operation of
 * @param isUnchecked whether what it writes need not meet the validator of its container
 */
public record RequestContext(
        UUID activityId,
        Principal principal,
        Optional<SessionToken> sessionToken,
        Optional<ConsistencyLevel> consistency,
        RequestTerms terms,
        long deadlineNanos,
        Optional<KeyTransaction> transaction,
        boolean isUnchecked) {
    /** A request that is no operation of a transaction. */
    public RequestContext(
            UUID activityId,
            Principal principal,
            Optional<SessionToken> sessionToken,
            Optional<ConsistencyLevel> consistency,
            RequestTerms terms,
            long deadlineNanos) {
        this(
                activityId,
                principal,
                sessionToken,
                consistency,
                terms,
                deadlineNanos,
                Optional.empty(),
                false);
    }

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

    /** Returns an id for a request. Ids need to differ, not to be unguessable. */
    public static UUID newActivityId() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return new UUID(
                (random.nextLong() & ~0xF000L) | 0x4000L,
                (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | Long.MIN_VALUE);
    }

    /**
     * The sender of a request. Front-ends authenticate; the gateway checks what the principal may
     * do.
     */
    public sealed interface Principal {
        /** Names the kind of credential, for people: it is the same for all who have one. */
        String kind();

        /**
         * Holder of an account key, or a part of the server itself.
         *
         * @param key the one that signed; absent where the server asks itself
         */
        record Account(boolean readOnly, Optional<KeyKind> key) implements Principal {
            /** The holder of a key. */
            public Account(KeyKind key) {
                this(key.isReadOnly(), Optional.of(key));
            }

            /** A part of the server. */
            public Account(boolean readOnly) {
                this(readOnly, Optional.empty());
            }

            @Override
            public String kind() {
                String rights = readOnly ? "read-only key" : "read-write key";
                return switch (key.orElse(null)) {
                    case PRIMARY, PRIMARY_READONLY -> "primary " + rights;
                    case SECONDARY, SECONDARY_READONLY -> "secondary " + rights;
                    case null -> rights;
                };
            }
        }

        /** Holder of a shared access signature for tables. */
        record Shared(SharedAccess access) implements Principal {
            @Override
            public String kind() {
                return "shared access signature";
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

    /**
     * The same request as an operation of a transaction.
     *
     * @param latestNanos when the transaction ends, on the clock of the deadline
     */
    public RequestContext within(KeyTransaction other, long latestNanos) {
        return new RequestContext(
                activityId,
                principal,
                sessionToken,
                consistency,
                terms,
                deadlineNanos - latestNanos < 0 ? deadlineNanos : latestNanos,
                Optional.of(other),
                isUnchecked);
    }

    /** The same request, whose writes need not meet the validator of their container. */
    public RequestContext unchecked() {
        return new RequestContext(
                activityId,
                principal,
                sessionToken,
                consistency,
                terms,
                deadlineNanos,
                transaction,
                true);
    }

    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
    }

    public boolean isExpired() {
        return deadlineNanos - System.nanoTime() <= 0;
    }
}
