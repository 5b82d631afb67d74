package orrery.frontend.sql;

import java.util.Optional;
import orrery.document.SqlId;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.api.Resources;
import orrery.gateway.api.UserRef;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestContext;
import orrery.model.ResourceId;
import orrery.model.ScriptDefinition;
import orrery.model.resource.Container;
import orrery.model.resource.Database;

/**
 * Decides whether the ids in a path are names or rids, and has the door find what they mean.
 * Clients mean rids when the database's id has the form of one; a database that really has such a
 * name is found when no rid is meant.
 */
final class Addresses {
    private static final int NOT_FOUND = 404;

    /** A database in the form in which a path names it, and its name. */
    record DatabaseAddress(ResourceRef ref, String name) {
        String path() {
            return "dbs/" + name;
        }

        /** Something in the database, by its rid where the database is named so. */
        ResourceRef child(String id) {
            return ref instanceof ResourceRef.Identified
                    ? ResourceId.parse(id)
                            .<ResourceRef>map(ResourceRef.Identified::new)
                            .orElseGet(() -> new ResourceRef.Named(id))
                    : new ResourceRef.Named(id);
        }

        UserRef user(String id) {
            return new UserRef(ref, child(id));
        }
    }

    /**
     * A container that a path names, as the door has found it.
     *
     * @param hints what the client believes of it
     */
    record ContainerAddress(ContainerRef.Resolved ref, boolean isByRid, SqlHints hints) {
        /** Throws where the client names a range that is gone. */
        void checkRange() {
            hints.checkRange(ref);
        }

        Container container() {
            return ref.container();
        }

        String databaseName() {
            return ref.database().name();
        }

        /** The container as the owner of what the request is about. */
        Owner owner() {
            return new Owner(
                    container().rid(), "dbs/" + databaseName() + "/colls/" + container().name());
        }

        /** The kind of the container decides what an id means: it may belong to another API. */
        ItemRef item(String id) {
            if (!isByRid) {
                return new ItemRef.Named(SqlId.rowKey(container().definition().kind(), id));
            }
            return ResourceId.parse(id)
                    .filter(rid -> rid.docid().isPresent())
                    .<ItemRef>map(ItemRef.Identified::new)
                    .orElseThrow(
                            () ->
                                    new OrreryException(
                                            ErrorCode.NOT_FOUND,
                                            "Resource Not Found. '"
                                                    + id
                                                    + "' is not an item's rid."));
        }

        ResourceRef script(ScriptDefinition.Kind kind, String id) {
            if (!isByRid) {
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
    }

    private final Resources resources;

    Addresses(Resources resources) {
        this.resources = resources;
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

    /** Finds a container, and checks what the client believes of it. */
    ContainerAddress container(
            SqlRequest request,
            RequestContext context,
            String database,
            String container,
            ContainerRef.Role role) {
        SqlHints hints = request.hints();
        ContainerAddress found = find(context, database, container, role, hints);
        hints.checkContainer(found.ref());
        return found;
    }

    private ContainerAddress find(
            RequestContext context,
            String database,
            String container,
            ContainerRef.Role role,
            SqlHints hints) {
        Optional<ContainerRef.Addressed> byRid = byRid(database, container);
        if (byRid.isEmpty()) {
            return byName(context, database, container, role, hints);
        }
        try {
            return new ContainerAddress(resources.resolve(context, byRid.get(), role), true, hints);
        } catch (OrreryException missing) {
            if (missing.code().status() != NOT_FOUND && missing.code() != ErrorCode.FORBIDDEN) {
                throw missing;
            }
            try {
                return byName(context, database, container, role, hints);
            } catch (OrreryException notNamed) {
                throw missing; // a rid was meant, as nothing has such a name
            }
        }
    }

    private ContainerAddress byName(
            RequestContext context,
            String database,
            String container,
            ContainerRef.Role role,
            SqlHints hints) {
        return new ContainerAddress(
                resources.resolve(
                        context, ContainerRef.Addressed.byName(database, container), role),
                false,
                hints);
    }

    private static Optional<ContainerRef.Addressed> byRid(String database, String container) {
        return databaseRid(database)
                .flatMap(
                        owner ->
                                ResourceId.parse(container)
                                        .filter(ResourceId::isContainer)
                                        .filter(rid -> rid.database().equals(owner.database()))
                                        .map(
                                                rid ->
                                                        new ContainerRef.Addressed(
                                                                new ResourceRef.Identified(owner),
                                                                new ResourceRef.Identified(rid))));
    }

    private static Optional<ResourceId> databaseRid(String id) {
        // Four bytes make eight characters; names are rarely that, so most paths stop here.
        return id.length() == 8 && id.endsWith("==")
                ? ResourceId.parse(id).filter(ResourceId::isDatabase)
                : Optional.empty();
    }

    private Optional<Database> find(RequestContext context, ResourceId rid) {
        try {
            return Optional.of(resources.readDatabase(context, new ResourceRef.Identified(rid)));
        } catch (OrreryException failure) {
            if (failure.code().status() == NOT_FOUND) {
                return Optional.empty();
            }
            throw failure;
        }
    }
}
