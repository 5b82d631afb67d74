package orrery.frontend.sql;

import java.util.function.Function;
import orrery.frontend.http.HttpReply;
import orrery.frontend.sql.Addresses.DatabaseAddress;
import orrery.gateway.api.Page;
import orrery.gateway.api.PageRequest;
import orrery.model.Etag;
import orrery.model.RequestContext;
import orrery.model.metering.RequestCharge;
import orrery.model.resource.Database;
import orrery.model.resource.Written;

/** The feed of one kind of resource that lies in a database, and its entities. */
final class DatabaseChildRoutes<T> {
    /** The calls at the door for one kind of resource. */
    interface Calls<T> {
        /** Creates one, or upserts it where that is asked for. */
        Written<T> create(SqlRequest request, RequestContext context, DatabaseAddress database);

        Page<T> list(RequestContext context, Database database, PageRequest page);

        T read(RequestContext context, DatabaseAddress database, String id);

        T replace(SqlRequest request, RequestContext context, DatabaseAddress database, String id);

        void delete(
                SqlRequest request, RequestContext context, DatabaseAddress database, String id);
    }

    private final ResourceFeed<T> feed;
    private final Function<T, Etag> etag;
    private final Calls<T> calls;

    DatabaseChildRoutes(ResourceFeed<T> feed, Function<T, Etag> etag, Calls<T> calls) {
        this.feed = feed;
        this.etag = etag;
        this.calls = calls;
    }

    HttpReply feed(SqlRequest request, RequestContext context, DatabaseAddress database) {
        return switch (request.method()) {
            case "GET" -> list(request, context, database);
            case "POST" ->
                    request.isQuery()
                            ? list(request, context, database)
                            : create(request, context, database);
            default -> throw SqlEndpoint.methodNotAllowed(request);
        };
    }

    HttpReply entity(
            SqlRequest request, RequestContext context, DatabaseAddress database, String id) {
        return switch (request.method()) {
            case "GET" -> read(request, context, database, id);
            case "PUT" ->
                    reply(request, database, 200, calls.replace(request, context, database, id));
            case "DELETE" -> {
                calls.delete(request, context, database, id);
                yield new SqlReply(request, 204).charge(RequestCharge.METADATA).build();
            }
            default -> throw SqlEndpoint.methodNotAllowed(request);
        };
    }

    private HttpReply list(SqlRequest request, RequestContext context, DatabaseAddress address) {
        Database database = address.database();
        return feed.reply(
                request, database.rid().toString(), page -> calls.list(context, database, page));
    }

    private HttpReply create(SqlRequest request, RequestContext context, DatabaseAddress database) {
        Written<T> written = calls.create(request, context, database);
        return reply(request, database, written.isNew() ? 201 : 200, written.resource());
    }

    private HttpReply read(
            SqlRequest request, RequestContext context, DatabaseAddress database, String id) {
        T resource = calls.read(context, database, id);
        Etag present = etag.apply(resource);
        return request.alreadyHas(present.quoted())
                ? SqlReply.notModified(request, present)
                : reply(request, database, 200, resource);
    }

    private HttpReply reply(SqlRequest request, DatabaseAddress address, int status, T resource) {
        return new SqlReply(request, status)
                .charge(RequestCharge.METADATA)
                .etag(etag.apply(resource))
                .owner(address.database().rid(), address.path())
                .body(feed.json().apply(resource))
                .build();
    }
}
