package orrery.gateway;

import java.util.List;
import java.util.Optional;
import orrery.gateway.Action.Holders;
import orrery.gateway.api.ItemRef;
import orrery.model.ErrorCode;
import orrery.model.ItemRules;
import orrery.model.KeyComponent;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.RequestContext.Principal;
import orrery.model.ResourceId;
import orrery.model.resource.Container;
import orrery.model.resource.PermissionMode;
import orrery.model.security.EntityRange;
import orrery.model.security.SharedAccess;
import orrery.model.security.TokenScope;

/**
 * Decides who may do what, for all APIs and in this place only. Front-ends have found out who asks
 * before.
 */
public final class Authorizer {
    /** The part of the account that a request reaches. */
    public sealed interface Reach {
        Reach ACCOUNT = new Account();

        /** More than what is in one container. */
        record Account() implements Reach {}

        /** One database, to find or to make what lies in it. */
        record OneDatabase(String name) implements Reach {}

        /** The entities of a table within a range of keys. */
        record Entities(Container container, EntityRange range) implements Reach {}

        /** A container itself, or items of it that may have any key. */
        record Whole(Container container) implements Reach {}

        /** Items of one key, or of all keys that begin with these levels. */
        record OneKey(Container container, PartitionKey key) implements Reach {}

        /**
         * @param key the one that the request names; absent where it is only found in a body
         */
        record OneItem(Container container, Optional<PartitionKey> key, ItemRef item)
                implements Reach {}

        /** A stored procedure, trigger or user-defined function, as a resource. */
        record OneScript(Container container, ResourceId script) implements Reach {}
    }

    /** Throws FORBIDDEN where the principal may not do this. */
    public void check(Principal principal, Action action, Reach reach) {
        switch (principal) {
            // Account keys reach everything; what they may do is all that differs.
            case Principal.Account(boolean isReadOnly, var _) -> {
                if (isReadOnly && action.needsReadWriteKey()) {
                    throw new OrreryException(
                            ErrorCode.FORBIDDEN,
                            "A read-only key cannot "
                                    + action.text()
                                    + ". Use a read-write key of the account.");
                }
            }
            case Principal.Shared(SharedAccess access) ->
                    SharedAccessRules.check(access, action, reach);
            case Principal.Resource token -> {
                if (!allows(token, action, reach)) {
                    throw insufficient();
                }
            }
        }
    }

    /**
     * The one refusal that holders of resource tokens hear, in the words of the service. It is the
     * same for what they may not touch and for what does not exist.
     */
    static OrreryException insufficient() {
        return new OrreryException(
                ErrorCode.FORBIDDEN,
                "Insufficient permissions provided in the authorization header for the corresponding"
                        + " request. Please retry with another authorization header.");
    }

    private static boolean allows(Principal.Resource token, Action action, Reach reach) {
        if (action.holders() == Holders.ACCOUNT_KEYS
                || (token.mode() == PermissionMode.READ && action.needsReadWriteKey())) {
            return false;
        }
        TokenScope scope = token.scope();
        return switch (reach) {
            case Reach.Account _, Reach.OneDatabase _, Reach.Entities _ -> false;
            case Reach.Whole(Container container) ->
                    scope.isIn(container.rid())
                            && (action.holders() == Holders.ANY_TOKEN_IN_CONTAINER
                                    || scope instanceof TokenScope.WholeContainer);
            case Reach.OneKey(Container container, PartitionKey key) ->
                    scope.isIn(container.rid()) && holdsKey(scope, container, Optional.of(key));
            case Reach.OneItem(Container container, Optional<PartitionKey> key, ItemRef item) ->
                    scope.isIn(container.rid())
                            && (holdsKey(scope, container, key)
                                    || isItem(scope, container, key, item));
            case Reach.OneScript(Container container, ResourceId script) ->
                    scope.isIn(container.rid())
                            && (scope instanceof TokenScope.WholeContainer
                                    || isScript(scope, script));
        };
    }

    /**
     * @param key absent where the request names none
     */
    private static boolean holdsKey(
            TokenScope scope, Container container, Optional<PartitionKey> key) {
        return switch (scope) {
            case TokenScope.WholeContainer _ -> true;
            case TokenScope.Key(ResourceId _, PartitionKey granted) ->
                    key.isPresent() && isBelow(container, granted, key.get());
            case TokenScope.Nothing _,
                    TokenScope.NamedItem _,
                    TokenScope.IdentifiedItem _,
                    TokenScope.Script _ ->
                    false;
        };
    }

    /**
     * Returns true if all items of a key are items of another, which may be the beginning of it.
     */
    private static boolean isBelow(Container container, PartitionKey upper, PartitionKey key) {
        List<KeyComponent> levels = normal(container, upper).components();
        List<KeyComponent> given = normal(container, key).components();
        return given.size() >= levels.size() && given.subList(0, levels.size()).equals(levels);
    }

    private static boolean isItem(
            TokenScope scope, Container container, Optional<PartitionKey> key, ItemRef item) {
        return switch (scope) {
            case TokenScope.NamedItem named ->
                    item.equals(new ItemRef.Named(named.row()))
                            && key.isPresent()
                            && normal(container, named.key()).equals(normal(container, key.get()));
            case TokenScope.IdentifiedItem identified ->
                    item.equals(new ItemRef.Identified(identified.item()))
                            && (identified.key().isEmpty()
                                    || identified
                                            .key()
                                            .map(one -> normal(container, one))
                                            .equals(key.map(one -> normal(container, one))));
            case TokenScope.Nothing _,
                    TokenScope.WholeContainer _,
                    TokenScope.Key _,
                    TokenScope.Script _ ->
                    false;
        };
    }

    private static boolean isScript(TokenScope scope, ResourceId script) {
        return scope instanceof TokenScope.Script(ResourceId _, ResourceId granted)
                && granted.equals(script);
    }

    private static PartitionKey normal(Container container, PartitionKey key) {
        return ItemRules.normalise(container.definition().partitionKey(), key);
    }
}
