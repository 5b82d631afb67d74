package orrery.frontend.sql;

import orrery.frontend.http.HttpReply;
import orrery.frontend.rest.ThroughputHeaders;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.api.Resources;
import orrery.model.RequestContext;
import orrery.model.metering.RequestCharge;
import orrery.model.resource.Database;

/** {@code /dbs} and {@code /dbs/{db}}. */
final class DatabaseRoutes {
    private static final ResourceFeed<Database> FEED =
            new ResourceFeed<>("Databases", DatabaseJson::write);

    private final Resources resources;
    private final Addresses addresses;

    DatabaseRoutes(Resources resources, Addresses addresses) {
        this.resources = resources;
        this.addresses = addresses;
    }

    HttpReply feed(SqlRequest request, RequestContext context) {
        return switch (request.method()) {
            case "GET" -> list(request, context);
            case "POST" -> request.isQuery() ? list(request, context) : create(request, context);
            default -> throw SqlEndpoint.methodNotAllowed(request);
        };
    }

    HttpReply entity(SqlRequest request, RequestContext context, SqlRoute.Database route) {
        return switch (request.method()) {
            case "GET" ->
                    addresses.onDatabase(
                            route.database(), database -> read(request, context, database));
            case "DELETE" ->
                    addresses.onDatabase(
                            route.database(), database -> delete(request, context, database));
            default -> throw SqlEndpoint.methodNotAllowed(request);
        };
    }

    private HttpReply list(SqlRequest request, RequestContext context) {
        return FEED.reply(request, "", page -> resources.listDatabases(context, page));
    }

    private HttpReply create(SqlRequest request, RequestContext context) {
        SqlEndpoint.refuseUpsert(request, "Databases");
        Database database =
                resources.createDatabase(
                        context,
                        DatabaseJson.parseId(request.body()),
                        ThroughputHeaders.parse(request.http().headers()));
        return reply(request, 201, database);
    }

    private HttpReply read(SqlRequest request, RequestContext context, ResourceRef ref) {
        Database database = resources.readDatabase(context, ref);
        return request.alreadyHas(database.etag().quoted())
                ? SqlReply.notModified(request, database.etag())
                : reply(request, 200, database);
    }

    private HttpReply delete(SqlRequest request, RequestContext context, ResourceRef database) {
        resources.deleteDatabase(context, database, request.ifMatch());
        return new SqlReply(request, 204).charge(RequestCharge.METADATA).build();
    }

    private static HttpReply reply(SqlRequest request, int status, Database database) {
        return new SqlReply(request, status)
                .charge(RequestCharge.METADATA)
                .etag(database.etag())
                .body(DatabaseJson.write(database))
                .build();
    }
}
