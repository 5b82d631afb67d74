package orrery.frontend.sql;

import java.time.Duration;
import orrery.frontend.http.Decimal;
import orrery.frontend.http.HttpReply;
import orrery.frontend.sql.Addresses.DatabaseAddress;
import orrery.gateway.api.IssuedPermission;
import orrery.gateway.api.Permissions;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.api.Resources;
import orrery.gateway.api.UserRef;
import orrery.gateway.api.Users;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestContext;
import orrery.model.metering.RequestCharge;
import orrery.model.resource.Permission;
import orrery.model.resource.PermissionDefinition;
import orrery.model.resource.User;
import orrery.model.resource.Written;

/** {@code …/users/{user}/permissions} and {@code …/users/{user}/permissions/{permission}}. */
final class PermissionRoutes {
    private static final ResourceFeed<IssuedPermission> FEED =
            new ResourceFeed<>("Permissions", PermissionJson::write);

    /** The validity of tokens whose client does not ask for another. */
    private static final Duration DEFAULT_VALIDITY = Duration.ofHours(1);

    private final Users users;
    private final Permissions permissions;

    PermissionRoutes(Resources resources) {
        this.users = resources.users();
        this.permissions = resources.permissions();
    }

    HttpReply feed(
            SqlRequest request, RequestContext context, DatabaseAddress database, String id) {
        UserRef user = database.user(id);
        return switch (request.method()) {
            case "GET" -> list(request, context, user);
            case "POST" ->
                    request.isQuery()
                            ? list(request, context, user)
                            : create(request, context, user);
            default -> throw SqlEndpoint.methodNotAllowed(request);
        };
    }

    HttpReply entity(
            SqlRequest request,
            RequestContext context,
            DatabaseAddress database,
            SqlRoute.Permission route) {
        UserRef user = database.user(route.user());
        ResourceRef permission = database.child(route.permission());
        return switch (request.method()) {
            case "GET" -> read(request, context, user, permission);
            case "PUT" -> replace(request, context, user, permission);
            case "DELETE" -> {
                permissions.delete(context, user, permission, request.ifMatch());
                yield new SqlReply(request, 204).charge(RequestCharge.METADATA).build();
            }
            default -> throw SqlEndpoint.methodNotAllowed(request);
        };
    }

    private HttpReply list(SqlRequest request, RequestContext context, UserRef ref) {
        User user = users.resolve(context, ref);
        Duration validity = validity(request);
        return FEED.reply(
                request,
                user.rid().toString(),
                page -> permissions.list(context, user, validity, page));
    }

    private HttpReply create(SqlRequest request, RequestContext context, UserRef user) {
        PermissionDefinition definition = PermissionJson.parse(request.body());
        Duration validity = validity(request);
        if (!request.flag(SqlHeaders.IS_UPSERT)) {
            return reply(request, 201, permissions.create(context, user, definition, validity));
        }
        Written<IssuedPermission> written =
                permissions.upsert(context, user, definition, validity, request.ifMatch());
        return reply(request, written.isNew() ? 201 : 200, written.resource());
    }

    private HttpReply read(
            SqlRequest request, RequestContext context, UserRef user, ResourceRef permission) {
        IssuedPermission issued = permissions.read(context, user, permission, validity(request));
        return request.alreadyHas(issued.permission().etag().quoted())
                ? SqlReply.notModified(request, issued.permission().etag())
                : reply(request, 200, issued);
    }

    private HttpReply replace(
            SqlRequest request, RequestContext context, UserRef user, ResourceRef permission) {
        return reply(
                request,
                200,
                permissions.replace(
                        context,
                        user,
                        permission,
                        PermissionJson.parse(request.body()),
                        validity(request),
                        request.ifMatch()));
    }

    /** How long a token may be valid is the engine's to say. */
    private static Duration validity(SqlRequest request) {
        return request.find(SqlHeaders.TOKEN_EXPIRY)
                .map(
                        text ->
                                Decimal.parse(text, 0, Integer.MAX_VALUE)
                                        .orElseThrow(
                                                () ->
                                                        new OrreryException(
                                                                ErrorCode.BAD_REQUEST,
                                                                "The header "
                                                                        + SqlHeaders.TOKEN_EXPIRY
                                                                        + " is a number of seconds,"
                                                                        + " not '"
                                                                        + text
                                                                        + "'.")))
                .map(Duration::ofSeconds)
                .orElse(DEFAULT_VALIDITY);
    }

    private static HttpReply reply(SqlRequest request, int status, IssuedPermission issued) {
        Permission permission = issued.permission();
        return new SqlReply(request, status)
                .charge(RequestCharge.METADATA)
                .etag(permission.etag())
                .header(SqlHeaders.CONTENT_PATH, permission.userRid().toString())
                .body(PermissionJson.write(issued))
                .build();
    }
}
