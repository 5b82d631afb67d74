package orrery.gateway;

import java.util.Optional;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.RequestContext.Principal;
import orrery.model.resource.Container;

/**
 * Decides who may do what, for all APIs and in this place only. Front-ends have found out who asks
 * before.
 */
public final class Authorizer {
    /**
     * The part of the account that a request reaches.
     *
     * @param container absent where the request is about more than what is in one container
     * @param key the one key that the request names; absent where it may reach several
     */
    public record Reach(Optional<Container> container, Optional<PartitionKey> key) {
        public static final Reach ACCOUNT = new Reach(Optional.empty(), Optional.empty());

        static Reach of(Container container) {
            return new Reach(Optional.of(container), Optional.empty());
        }

        static Reach of(Container container, Optional<PartitionKey> key) {
            return new Reach(Optional.of(container), key);
        }
    }

    /** Throws FORBIDDEN where the principal may not do this. */
    public void check(Principal principal, Action action, Reach reach) {
        switch (principal) {
            // Account keys reach everything; what they may do is all that differs.
            case Principal.Account(boolean isReadOnly) -> {
                if (isReadOnly && action.needsReadWriteKey()) {
                    throw new OrreryException(
                            ErrorCode.FORBIDDEN,
                            "A read-only key cannot "
                                    + action.text()
                                    + ". Use a read-write key of the account.");
                }
            }
        }
    }
}
