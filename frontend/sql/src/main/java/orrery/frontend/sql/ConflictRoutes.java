package orrery.frontend.sql;

import java.util.List;
import java.util.Optional;
import orrery.document.Value;
import orrery.frontend.http.HttpReply;
import orrery.frontend.sql.Addresses.ContainerAddress;
import orrery.gateway.api.Engine;
import orrery.gateway.api.Page;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestContext;
import orrery.model.resource.Container;

/**
 * {@code …/conflicts}: writes of several regions that met. Here all writes of a key go through one
 * log, so there are none, and every list of them is empty.
 */
final class ConflictRoutes {
    private static final ResourceFeed<Value.Obj> FEED =
            new ResourceFeed<>("Conflicts", conflict -> conflict);

    private final Engine engine;
    private final Addresses addresses;
    private final ItemQueries queries;

    ConflictRoutes(Engine engine, Addresses addresses) {
        this.engine = engine;
        this.addresses = addresses;
        this.queries = new ItemQueries(engine);
    }

    HttpReply feed(SqlRequest request, RequestContext context, SqlRoute.Conflicts route) {
        ContainerAddress address =
                addresses.items(request, context, route.database(), route.container());
        if (request.method().equals("POST") && request.isQueryPlan()) {
            return queries.plan(request, context, address);
        }
        boolean isRead =
                request.method().equals("GET")
                        || (request.method().equals("POST") && request.isQuery());
        if (!isRead) {
            throw SqlEndpoint.methodNotAllowed(request);
        }
        Container container = engine.readOwner(context, address.ref());
        if (request.isQuery()) {
            // Conflicts lie in the partitions of their items, so the same rule holds for them.
            ItemQueries.targeted(request, request.query(), container.definition());
        }
        return FEED.reply(
                request, container.rid().toString(), _ -> new Page<>(List.of(), Optional.empty()));
    }

    HttpReply entity(SqlRequest request, RequestContext context, SqlRoute.Conflict route) {
        if (!request.method().equals("GET") && !request.method().equals("DELETE")) {
            throw SqlEndpoint.methodNotAllowed(request);
        }
        ContainerAddress address =
                addresses.items(request, context, route.database(), route.container());
        engine.readOwner(context, address.ref());
        throw new OrreryException(
                ErrorCode.NOT_FOUND,
                "Resource Not Found. There is no conflict '" + route.conflict() + "'.");
    }
}
