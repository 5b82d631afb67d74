package orrery.frontend.sql;

import orrery.frontend.http.HttpReply;
import orrery.frontend.sql.Addresses.DatabaseAddress;
import orrery.gateway.api.Resources;
import orrery.gateway.api.UserRef;
import orrery.gateway.api.Users;
import orrery.model.RequestContext;
import orrery.model.ResourceId;
import orrery.model.metering.RequestCharge;
import orrery.model.resource.Database;
import orrery.model.resource.User;
import orrery.model.resource.Written;

/** {@code /dbs/{db}/users} and {@code /dbs/{db}/users/{user}}. */
final class UserRoutes {
    private static final ResourceFeed<User> FEED = new ResourceFeed<>("Users", UserJson::write);

    private final Resources resources;
    private final Users users;

    UserRoutes(Resources resources) {
        this.resources = resources;
        this.users = resources.users();
    }

    HttpReply feed(SqlRequest request, RequestContext context, DatabaseAddress address) {
        return switch (request.method()) {
            case "GET" -> list(request, context, address);
            case "POST" ->
                    request.isQuery()
                            ? list(request, context, address)
                            : create(request, context, address);
            default -> throw SqlEndpoint.methodNotAllowed(request);
        };
    }

    HttpReply entity(
            SqlRequest request, RequestContext context, DatabaseAddress address, String id) {
        UserRef user = address.user(id);
        return switch (request.method()) {
            case "GET" -> read(request, context, address, user);
            case "PUT" ->
                    reply(
                            request,
                            address,
                            200,
                            users.replace(
                                    context,
                                    user,
                                    UserJson.parseId(request.body()),
                                    request.ifMatch()));
            case "DELETE" -> {
                users.delete(context, user, request.ifMatch());
                yield new SqlReply(request, 204).charge(RequestCharge.METADATA).build();
            }
            default -> throw SqlEndpoint.methodNotAllowed(request);
        };
    }

    private HttpReply list(SqlRequest request, RequestContext context, DatabaseAddress address) {
        Database database = resources.resolve(context, address.ref());
        return FEED.reply(
                request, database.rid().toString(), page -> users.list(context, database, page));
    }

    private HttpReply create(SqlRequest request, RequestContext context, DatabaseAddress address) {
        String id = UserJson.parseId(request.body());
        if (!request.flag(SqlHeaders.IS_UPSERT)) {
            return reply(request, address, 201, users.create(context, address.ref(), id));
        }
        Written<User> written = users.upsert(context, address.ref(), id, request.ifMatch());
        return reply(request, address, written.isNew() ? 201 : 200, written.resource());
    }

    private HttpReply read(
            SqlRequest request, RequestContext context, DatabaseAddress address, UserRef ref) {
        User user = users.read(context, ref);
        return request.alreadyHas(user.etag().quoted())
                ? SqlReply.notModified(request, user.etag())
                : reply(request, address, 200, user);
    }

    private static HttpReply reply(
            SqlRequest request, DatabaseAddress address, int status, User user) {
        return new SqlReply(request, status)
                .charge(RequestCharge.METADATA)
                .etag(user.etag())
                .owner(ResourceId.ofDatabase(user.database()), address.path())
                .body(UserJson.write(user))
                .build();
    }
}
