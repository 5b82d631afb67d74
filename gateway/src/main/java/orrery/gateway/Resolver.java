package orrery.gateway;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import orrery.cluster.api.Catalog;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.api.UserRef;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestContext;
import orrery.model.ResourceId;
import orrery.model.resource.ClientEncryptionKey;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.Offer;
import orrery.model.resource.PartitionMap;
import orrery.model.resource.Permission;
import orrery.model.resource.User;

/** From the names and rids in requests to the resources of the catalog. */
final class Resolver {
    private final Catalog catalog;

    Resolver(Catalog catalog) {
        this.catalog = catalog;
    }

    /** A database as the subject of a request. */
    Database database(ResourceRef ref) {
        return find(ref).orElseThrow(() -> missing(ErrorCode.NOT_FOUND));
    }

    /** A database as the owner of what the request is about. */
    Database owner(ResourceRef ref) {
        return find(ref).orElseThrow(() -> missing(ErrorCode.OWNER_NOT_FOUND));
    }

    /** A container as the subject of a request. */
    Container container(ContainerRef ref) {
        return container(ref, ErrorCode.NOT_FOUND);
    }

    /** A container as the owner of what the request is about. */
    Container owner(ContainerRef ref) {
        return container(ref, ErrorCode.OWNER_NOT_FOUND);
    }

    private Container container(ContainerRef ref, ErrorCode whenMissing) {
        return switch (ref) {
            case ContainerRef.Addressed addressed ->
                    find(owner(addressed.database()), addressed, whenMissing);
            case ContainerRef.Resolved resolved -> resolved.container();
        };
    }

    /** Finds a container with its database and its partitions. */
    ContainerRef.Resolved resolve(ContainerRef.Addressed ref, ContainerRef.Role role) {
        Database database = owner(ref.database());
        Container container =
                switch (role) {
                    case SUBJECT -> find(database, ref, ErrorCode.NOT_FOUND);
                    case OWNER -> find(database, ref, ErrorCode.OWNER_NOT_FOUND);
                    case AWAITED_OWNER ->
                            catalog.awaitCreation(named(database, ref, ErrorCode.OWNER_NOT_FOUND));
                };
        return new ContainerRef.Resolved(database, container, map(container));
    }

    /** A user as the subject of a request. */
    User user(UserRef ref) {
        return user(ref, ErrorCode.NOT_FOUND);
    }

    /** A user as the owner of the permissions that the request is about. */
    User owner(UserRef ref) {
        return user(ref, ErrorCode.OWNER_NOT_FOUND);
    }

    private User user(UserRef ref, ErrorCode whenMissing) {
        int database = owner(ref.database()).number();
        Optional<User> found =
                switch (ref.user()) {
                    case ResourceRef.Named(String name) ->
                            catalog.access().findUser(database, name);
                    case ResourceRef.Identified(ResourceId rid) ->
                            number(rid.user())
                                    .flatMap(user -> catalog.access().findUser(database, user));
                };
        return found.orElseThrow(() -> missing(whenMissing));
    }

    Permission permission(UserRef ref, ResourceRef permission) {
        User user = owner(ref);
        Optional<Permission> found =
                switch (permission) {
                    case ResourceRef.Named(String name) ->
                            catalog.access().findPermission(user, name);
                    case ResourceRef.Identified(ResourceId rid) ->
                            catalog.access()
                                    .findPermission(rid)
                                    .filter(one -> one.user() == user.number());
                };
        return found.orElseThrow(() -> missing(ErrorCode.NOT_FOUND));
    }

    ClientEncryptionKey key(ResourceRef ref, ResourceRef key) {
        int database = owner(ref).number();
        Optional<ClientEncryptionKey> found =
                switch (key) {
                    case ResourceRef.Named(String name) -> catalog.access().findKey(database, name);
                    case ResourceRef.Identified(ResourceId rid) ->
                            number(rid.clientEncryptionKey())
                                    .flatMap(each -> catalog.access().findKey(database, each));
                };
        return found.orElseThrow(() -> missing(ErrorCode.NOT_FOUND));
    }

    private static Optional<Integer> number(OptionalInt number) {
        return number.isPresent() ? Optional.of(number.getAsInt()) : Optional.empty();
    }

    Offer offer(ResourceId rid) {
        return rid.offer().isPresent()
                ? catalog.findOffer(rid.offer().getAsInt())
                        .orElseThrow(() -> missing(ErrorCode.NOT_FOUND))
                : reject(rid);
    }

    /** The container whose throughput an offer is. */
    Container container(Offer offer) {
        return catalog.findContainer(offer.database(), offer.container())
                .orElseThrow(() -> missing(ErrorCode.NOT_FOUND));
    }

    PartitionMap map(Container container) {
        return catalog.partitionMap(container);
    }

    /**
     * Waits, for a request that found its partition closed by a split or merge, until the map says
     * what has taken its place. Throws where the whole container is gone, and the first failure
     * where the map does not come in time.
     */
    void awaitNewMap(
            RequestContext context,
            Container container,
            PartitionMap stale,
            OrreryException failure) {
        if (catalog.findContainer(container.database(), container.number()).isEmpty()) {
            throw new OrreryException(
                    ErrorCode.OWNER_NOT_FOUND,
                    "Resource Not Found. The container was deleted while the request was under"
                            + " way.");
        }
        if (!catalog.awaitPartitionMap(container, stale.epoch(), context.remaining())) {
            throw failure;
        }
    }

    /** Tries with the present map; when a partition has moved away meanwhile, with the next. */
    <T> T routed(RequestContext context, Container container, Function<PartitionMap, T> attempt) {
        while (true) {
            PartitionMap map = map(container);
            try {
                return attempt.apply(map);
            } catch (OrreryException failure) {
                if (!hasMoved(failure)) {
                    throw failure;
                }
                awaitNewMap(context, container, map, failure);
            }
        }
    }

    /** Returns true if a partition refuses because it has been split, merged or moved. */
    static boolean hasMoved(OrreryException failure) {
        return failure.code() == ErrorCode.RANGE_GONE
                || failure.code() == ErrorCode.COMPLETING_SPLIT;
    }

    private Container find(Database database, ContainerRef.Addressed ref, ErrorCode whenMissing) {
        Container container = named(database, ref, whenMissing);
        if (container.state() == Container.State.CREATING) {
            throw new OrreryException(
                    ErrorCode.CONTAINER_CREATE_IN_PROGRESS,
                    "The container is still being created. Retry in a moment.");
        }
        return container;
    }

    private Container named(Database database, ContainerRef.Addressed ref, ErrorCode whenMissing) {
        Optional<Container> found =
                switch (ref.container()) {
                    case ResourceRef.Named(String name) ->
                            catalog.findContainer(database.number(), name);
                    case ResourceRef.Identified(ResourceId rid) ->
                            rid.container().isPresent()
                                    ? catalog.findContainer(
                                            database.number(), rid.container().getAsInt())
                                    : Optional.empty();
                };
        return found.orElseThrow(() -> missing(whenMissing));
    }

    private Optional<Database> find(ResourceRef ref) {
        return switch (ref) {
            case ResourceRef.Named(String name) -> catalog.findDatabase(name);
            case ResourceRef.Identified(ResourceId rid) ->
                    rid.database().isPresent()
                            ? catalog.findDatabase(rid.database().getAsInt())
                            : Optional.empty();
        };
    }

    private static Offer reject(ResourceId rid) {
        throw new OrreryException(ErrorCode.NOT_FOUND, "No offer has the rid " + rid + ".");
    }

    private static OrreryException missing(ErrorCode code) {
        return new OrreryException(code, "Resource Not Found.");
    }
}
