package orrery.gateway;

import java.util.Optional;
import orrery.cluster.api.Catalog;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.ResourceId;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.Offer;
import orrery.model.resource.PartitionMap;

/** From the names and rids in requests to the resources of the catalog. */
final class Resolver {
    private final Catalog catalog;

    Resolver(Catalog catalog) {
        this.catalog = catalog;
    }

    Database database(ResourceRef ref) {
        return find(ref).orElseThrow(() -> missing(ErrorCode.NOT_FOUND));
    }

    /** A container as the subject of a request. */
    Container container(ContainerRef ref) {
        return container(ref, ErrorCode.NOT_FOUND);
    }

    /** A container as the owner of what the request is about. */
    Container owner(ContainerRef ref) {
        return container(ref, ErrorCode.OWNER_NOT_FOUND);
    }

    Offer offer(ResourceId rid) {
        return rid.offer().isPresent()
                ? catalog.findOffer(rid.offer().getAsInt())
                        .orElseThrow(() -> missing(ErrorCode.NOT_FOUND))
                : reject(rid);
    }

    PartitionMap map(int database, int container) {
        return catalog.partitionMap(
                catalog.findContainer(database, container)
                        .orElseThrow(() -> missing(ErrorCode.NOT_FOUND)));
    }

    PartitionMap map(Container container) {
        return catalog.partitionMap(container);
    }

    private Container container(ContainerRef ref, ErrorCode whenMissing) {
        Database database = find(ref.database()).orElseThrow(() -> missing(whenMissing));
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
        Container container = found.orElseThrow(() -> missing(whenMissing));
        if (container.state() == Container.State.CREATING) {
            throw new OrreryException(
                    ErrorCode.CONTAINER_CREATE_IN_PROGRESS,
                    "The container is still being created. Retry in a moment.");
        }
        if (ref.intended().isPresent() && !ref.intended().get().equals(container.rid())) {
            throw new OrreryException(
                    ErrorCode.WRONG_CONTAINER_RID,
                    "The container has another rid than the request expects: it was deleted and"
                            + " created anew. Refresh the container and retry.");
        }
        return container;
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
