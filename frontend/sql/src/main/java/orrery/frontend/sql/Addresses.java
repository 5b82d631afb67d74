package orrery.frontend.sql;

import java.util.Optional;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.Engine;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ResourceRef;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestContext;
import orrery.model.ResourceId;
import orrery.model.ScriptDefinition;
import orrery.model.resource.Container;
import orrery.model.resource.Database;

/**
 * Decides whether the ids in a path are names or rids. Clients mean rids when the database's id has
 * the form of one; a database that really has such a name is found when no rid is meant.
 */
final class Addresses {
    /** A database in the form in which a path names it, and its name. */
    record DatabaseAddress(ResourceRef ref, String name) {
        String path() {
            return "dbs/" + name;
        }
    }

    /** A container in the form in which a path names it, and the name of its database. */
    record ContainerAddress(ContainerRef ref, String databaseName) {
        Owner owner(Container container) {
            return new Owner(container.rid(), "dbs/" + databaseName + "/colls/" + container.name());
        }

        boolean isByRid() {
            return ref.container() instanceof ResourceRef.Identified;
        }
    }

    private final Engine engine;

    Addresses(Engine engine) {
        this.engine = engine;
    }

    DatabaseAddress database(RequestContext context, String id) {
        return databaseRid(id)
                .flatMap(rid -> find(context, rid))
                .map(
                        database ->
                                new DatabaseAddress(
                                        new ResourceRef.Identified(database.rid()),
                                        database.name()))
                .orElseGet(() -> new DatabaseAddress(new ResourceRef.Named(id), id));
    }

    ContainerAddress container(
            SqlRequest request, RequestContext context, String database, String container) {
        Optional<ResourceId> intended = request.intendedContainer();
        Optional<ResourceId> databaseRid = databaseRid(database);
        if (databaseRid.isPresent()) {
            Optional<ResourceId> containerRid =
                    ResourceId.parse(container)
                            .filter(ResourceId::isContainer)
                            .filter(rid -> rid.database().equals(databaseRid.get().database()));
            Optional<Database> found = containerRid.flatMap(_ -> find(context, databaseRid.get()));
            if (containerRid.isPresent() && found.isPresent()) {
                return new ContainerAddress(
                        new ContainerRef(
                                new ResourceRef.Identified(databaseRid.get()),
                                new ResourceRef.Identified(containerRid.get()),
                                intended),
                        found.get().name());
            }
        }
        return new ContainerAddress(
                new ContainerRef(
                        new ResourceRef.Named(database),
                        new ResourceRef.Named(container),
                        intended),
                database);
    }

    /** Returns the owner of items, with the range in which the client believes them to be. */
    ContainerAddress items(
            SqlRequest request, RequestContext context, String database, String container) {
        ContainerAddress address = container(request, context, database, container);
        return new ContainerAddress(
                address.ref().withRange(request.rangeId()), address.databaseName());
    }

    /** The kind of the container decides what an id means: it may belong to another API. */
    ItemRef item(RequestContext context, ContainerAddress address, String id) {
        if (!address.isByRid()) {
            Container container = engine.readOwner(context, address.ref());
            return new ItemRef.Named(ItemIds.rowKey(container.definition().kind(), id));
        }
        return ResourceId.parse(id)
                .filter(rid -> rid.docid().isPresent())
                .<ItemRef>map(ItemRef.Identified::new)
                .orElseThrow(
                        () ->
                                new OrreryException(
                                        ErrorCode.NOT_FOUND,
                                        "Resource Not Found. '" + id + "' is not an item's rid."));
    }

    ResourceRef script(ContainerAddress address, ScriptDefinition.Kind kind, String id) {
        if (!address.isByRid()) {
            return new ResourceRef.Named(id);
        }
        return ResourceId.parse(id)
                .filter(rid -> rid.script(kind).isPresent())
                .<ResourceRef>map(ResourceRef.Identified::new)
                .orElseThrow(
                        () ->
                                new OrreryException(
                                        ErrorCode.NOT_FOUND,
                                        "Resource Not Found. '" + id + "' is not its rid."));
    }

    private static Optional<ResourceId> databaseRid(String id) {
        // Four bytes make eight characters; names are rarely that, so most paths stop here.
        return id.length() == 8 && id.endsWith("==")
                ? ResourceId.parse(id).filter(ResourceId::isDatabase)
                : Optional.empty();
    }

    private Optional<Database> find(RequestContext context, ResourceId rid) {
        try {
            return Optional.of(engine.readDatabase(context, new ResourceRef.Identified(rid)));
        } catch (OrreryException failure) {
            if (failure.code().status() == 404) {
                return Optional.empty();
            }
            throw failure;
        }
    }
}
