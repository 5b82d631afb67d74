package orrery.gateway;

import java.util.Optional;
import java.util.function.Function;
import orrery.gateway.Authorizer.Reach;
import orrery.gateway.ItemRouter.CheckedWrite;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.RequestContext;
import orrery.model.RequestContext.Principal;
import orrery.model.ResourceId;
import orrery.model.resource.Container;
import orrery.model.security.SharedAccess;
import orrery.model.security.TokenScope;

/**
 * Lets in requests for single items, unless they are among those that fail on demand. A resource
 * token may name one item by its name or by its rid, and requests may use the other form.
 */
final class ItemKeeper {
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;

    private final Doorkeeper door;
    private final ItemRouter items;
    private final Faults faults;

    ItemKeeper(Doorkeeper door, ItemRouter items, Faults faults) {
        this.door = door;
        this.items = items;
        this.faults = faults;
    }

    Container read(RequestContext context, ContainerRef ref, PartitionKey key, ItemRef item) {
        return admit(
                context,
                ref,
                Action.READ_ITEMS,
                container -> new Reach.OneItem(container, Optional.of(key), item));
    }

    Container write(RequestContext context, ContainerRef ref, ItemWrite write) {
        return admit(
                context, ref, Action.of(write), container -> Doorkeeper.reach(container, write));
    }

    /** Triggers reach all items of the key, whichever the write itself is about. */
    Container writeWithTriggers(RequestContext context, ContainerRef ref, ItemWrite write) {
        return admit(
                context,
                ref,
                Action.WRITE_ITEMS,
                container -> Doorkeeper.feed(container, write.namedKey()));
    }

    /** Checks a write whose body may give the item another id, which is then another item. */
    static void checkTarget(RequestContext context, CheckedWrite write) {
        if (context.principal() instanceof Principal.Shared(SharedAccess access)) {
            SharedAccessRules.checkKey(access, write.key());
            SharedAccessRules.checkKey(access, write.target());
        }
        boolean isOfOneItem =
                context.principal() instanceof Principal.Resource(var _, TokenScope scope)
                        && (scope instanceof TokenScope.NamedItem
                                || scope instanceof TokenScope.IdentifiedItem);
        if (isOfOneItem && !write.target().equals(write.key())) {
            throw Authorizer.insufficient();
        }
    }

    private Container admit(
            RequestContext context,
            ContainerRef ref,
            Action action,
            Function<Container, Reach> reach) {
        Container container = door.owner(context, ref, Action.RESOLVE);
        door.check(context, action, inFormOfToken(context, reach.apply(container)));
        faults.check(container);
        return container;
    }

    /** Names the item in the form that the token has; what cannot be found is not its item. */
    private Reach inFormOfToken(RequestContext context, Reach reach) {
        if (!(context.principal() instanceof Principal.Resource(var _, TokenScope scope))
                || !(reach instanceof Reach.OneItem(Container container, var given, var item))
                || given.isEmpty()) {
            return reach;
        }
        try {
            if (scope instanceof TokenScope.NamedItem && item instanceof ItemRef.Identified) {
                PartitionKey key = ItemRouter.wholeKey(container, given.get());
                return new Reach.OneItem(
                        container,
                        given,
                        new ItemRef.Named(items.existing(context, container, key, item).rowKey()));
            }
            return scope instanceof TokenScope.IdentifiedItem && item instanceof ItemRef.Named
                    ? new Reach.OneItem(
                            container,
                            given,
                            new ItemRef.Identified(rid(context, container, given.get(), item)))
                    : reach;
        } catch (OrreryException failure) {
            int status = failure.code().status();
            throw status == NOT_FOUND || status == BAD_REQUEST
                    ? Authorizer.insufficient()
                    : failure;
        }
    }

    private ResourceId rid(
            RequestContext context, Container container, PartitionKey key, ItemRef item) {
        long docid = items.read(context, container, key, item).item().orElseThrow().docid();
        return ResourceId.ofItem(container.database(), container.number(), docid);
    }
}
