package orrery.frontend.sql;

import java.util.List;
import java.util.Optional;
import orrery.document.Value;
import orrery.frontend.http.HttpReply;
import orrery.frontend.sql.Addresses.ContainerAddress;
import orrery.gateway.api.Page;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.resource.Container;

/**
 * {@code …/conflicts}: writes of several regions that met. Here all writes of a key go through one
 * log, so there are none, and every list of them is empty.
 */
final class ConflictRoutes {
    private static final ResourceFeed<Value.Obj> FEED =
            new ResourceFeed<>("Conflicts", conflict -> conflict);

    HttpReply feed(SqlRequest request, ContainerAddress address) {
        address.checkRange();
        if (request.method().equals("POST") && request.isQueryPlan()) {
            return ItemQueries.plan(request, address);
        }
        boolean isRead =
                request.method().equals("GET")
                        || (request.method().equals("POST") && request.isQuery());
        if (!isRead) {
            throw SqlEndpoint.methodNotAllowed(request);
        }
        Container container = address.container();
        if (request.isQuery()) {
            // Conflicts lie in the partitions of their items, so the same rule holds for them.
            ItemQueries.targeted(request, request.query(), container.definition());
        }
        return FEED.reply(
                request, container.rid().toString(), _ -> new Page<>(List.of(), Optional.empty()));
    }

    HttpReply entity(SqlRequest request, ContainerAddress address, String id) {
        if (!request.method().equals("GET") && !request.method().equals("DELETE")) {
            throw SqlEndpoint.methodNotAllowed(request);
        }
        address.checkRange();
        throw new OrreryException(
                ErrorCode.NOT_FOUND, "Resource Not Found. There is no conflict '" + id + "'.");
    }
}
