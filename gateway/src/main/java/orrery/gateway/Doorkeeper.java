package orrery.gateway;

import java.util.Optional;
import java.util.function.Supplier;
import orrery.gateway.Authorizer.Reach;
import orrery.gateway.api.BatchOperation;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.FeedScope;
import orrery.gateway.api.ItemBatch;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ItemWrite;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.RequestContext;
import orrery.model.RequestContext.Principal;
import orrery.model.resource.Container;
import orrery.model.security.EntityRange;
import orrery.model.security.SharedAccess;
import orrery.query.QueryCall;

/**
 * Lets requests in: finds the container that one is about, and checks that its principal may do
 * there what it asks for.
 */
final class Doorkeeper {
    private final Resolver resolver;
    private final Authorizer authorizer;

    Doorkeeper(Resolver resolver, Authorizer authorizer) {
        this.resolver = resolver;
        this.authorizer = authorizer;
    }

    /** Checks a request that is about no container. */
    void check(RequestContext context, Action action) {
        check(context, action, Reach.ACCOUNT);
    }

    void check(RequestContext context, Action action, Reach reach) {
        authorizer.check(context.principal(), action, reach);
    }

    /** Returns the container that is the subject of a request. */
    Container subject(RequestContext context, ContainerRef ref, Action action) {
        Container container = found(context, () -> resolver.container(ref));
        check(context, action, new Reach.Whole(container));
        return container;
    }

    /** Returns the container that owns what a request is about, which may be all of it. */
    Container owner(RequestContext context, ContainerRef ref, Action action) {
        Container container = owner(context, ref);
        check(context, action, new Reach.Whole(container));
        return container;
    }

    /** Returns the container of a key that a request is about. */
    Container owner(RequestContext context, ContainerRef ref, Action action, PartitionKey key) {
        Container container = owner(context, ref);
        check(context, action, new Reach.OneKey(container, key));
        return container;
    }

    /** The first operation of a transaction fixes the container of all. */
    private Container owner(RequestContext context, ContainerRef ref) {
        Container container = found(context, () -> resolver.owner(ref));
        context.transaction().ifPresent(transaction -> transaction.enter(container));
        return container;
    }

    /** Returns the container whose items a request reads. */
    Container owner(RequestContext context, ContainerRef ref, FeedScope scope) {
        return scope.namedKey()
                .map(key -> owner(context, ref, Action.READ_ITEMS, key))
                .orElseGet(() -> owner(context, ref, Action.READ_ITEMS));
    }

    /** Finds a container for the calls that follow. */
    ContainerRef.Resolved resolve(
            RequestContext context, ContainerRef.Addressed ref, ContainerRef.Role role) {
        ContainerRef.Resolved resolved = found(context, () -> resolver.resolve(ref, role));
        check(context, Action.RESOLVE, new Reach.Whole(resolved.container()));
        return resolved;
    }

    /** A token must not tell what exists beside what it opens. */
    private static <T> T found(RequestContext context, Supplier<T> look) {
        try {
            return look.get();
        } catch (OrreryException missing) {
            throw opensLessThanTheAccount(context.principal())
                    ? Authorizer.insufficient()
                    : missing;
        }
    }

    private static boolean opensLessThanTheAccount(Principal principal) {
        return switch (principal) {
            case Principal.Account _ -> false;
            case Principal.Resource _ -> true;
            case Principal.Shared(SharedAccess access) -> access instanceof SharedAccess.OneTable;
        };
    }

    /** A query that its principal may ask, over a container that was found for it. */
    record AdmittedQuery(Container container, QueryCall call) {}

    /**
     * Lets in a query. One of a shared access signature is confined to the keys that the signature
     * opens: the service answers with those only, instead of refusing the query.
     */
    AdmittedQuery query(RequestContext context, ContainerRef ref, FeedScope scope, QueryCall call) {
        if (!(context.principal() instanceof Principal.Shared(SharedAccess access))) {
            return new AdmittedQuery(owner(context, ref, scope), call);
        }
        Container container = owner(context, ref, Action.RESOLVE);
        EntityRange range = SharedAccessRules.range(access);
        check(context, Action.READ_ITEMS, new Reach.Entities(container, range));
        return new AdmittedQuery(container, SharedAccessRules.confined(call, range));
    }

    /** The part of a container that a write reaches. */
    static Reach reach(Container container, ItemWrite write) {
        return switch (write) {
            case ItemWrite.Create _, ItemWrite.Upsert _ -> feed(container, write.namedKey());
            case ItemWrite.Replace replace -> item(container, write, replace.item());
            case ItemWrite.Evaluate evaluate -> item(container, write, evaluate.item());
            case ItemWrite.Take take -> item(container, write, take.item());
            case ItemWrite.Delete delete -> item(container, write, delete.item());
        };
    }

    /** The items of a key if one is named, and otherwise all. */
    static Reach feed(Container container, Optional<PartitionKey> key) {
        return key.<Reach>map(one -> new Reach.OneKey(container, one))
                .orElseGet(() -> new Reach.Whole(container));
    }

    private static Reach item(Container container, ItemWrite write, ItemRef item) {
        return new Reach.OneItem(container, write.namedKey(), item);
    }

    /** Checks a batch of one key as a whole, and the operations of a bulk one by one. */
    ItemBatch admitted(RequestContext context, Container container, ItemBatch batch) {
        if (context.principal() instanceof Principal.Shared) {
            checkEach(context, container, batch);
            return batch;
        }
        Action action = batch.isWithoutWrites() ? Action.READ_ITEMS : Action.WRITE_ITEMS;
        if (context.principal() instanceof Principal.Resource
                && batch instanceof ItemBatch.Bulk bulk) {
            return new ItemBatch.Bulk(
                    bulk.operations().stream()
                            .map(operation -> admitted(context, container, operation))
                            .toList(),
                    bulk.inOrder(),
                    bulk.continueOnError(),
                    bulk.range());
        }
        check(context, action, feed(container, batch.namedKey()));
        return batch;
    }

    /** The rows that a batch writes are in its bodies; the router checks them there. */
    private void checkEach(RequestContext context, Container container, ItemBatch batch) {
        if (!(batch instanceof ItemBatch.Atomic)) {
            throw Authorizer.insufficient();
        }
        for (BatchOperation operation : batch.operations()) {
            switch (operation) {
                case BatchOperation.Read read ->
                        check(
                                context,
                                Action.READ_ITEMS,
                                new Reach.OneItem(
                                        container,
                                        Optional.of(read.key()),
                                        new ItemRef.Named(read.item())));
                case BatchOperation.Write(ItemWrite write, var _) ->
                        check(context, Action.of(write), reach(container, write));
                case BatchOperation.Refused _ -> {}
            }
        }
    }

    private BatchOperation admitted(
            RequestContext context, Container container, BatchOperation operation) {
        try {
            switch (operation) {
                case BatchOperation.Read read ->
                        check(context, Action.READ_ITEMS, new Reach.OneKey(container, read.key()));
                // Not as one item: the body of a write may give it another id.
                case BatchOperation.Write(ItemWrite write, var _) ->
                        check(context, Action.WRITE_ITEMS, feed(container, write.namedKey()));
                case BatchOperation.Refused _ -> {}
            }
            return operation;
        } catch (OrreryException refused) {
            return new BatchOperation.Refused(refused);
        }
    }
}
