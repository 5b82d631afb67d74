package orrery.frontend.sql;

import orrery.frontend.http.HttpReply;
import orrery.frontend.sql.Addresses.ContainerAddress;
import orrery.gateway.api.Items;
import orrery.gateway.api.ProcedureAnswer;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.api.Scripts;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestContext;
import orrery.model.ScriptDefinition;
import orrery.model.ScriptDefinition.Kind;
import orrery.model.metering.RequestCharge;
import orrery.model.resource.Script;

/** {@code …/sprocs}, {@code …/triggers}, {@code …/udfs} and what lies in them. */
final class ScriptRoutes {
    private final Items items;
    private final Scripts scripts;

    ScriptRoutes(Items items, Scripts scripts) {
        this.items = items;
        this.scripts = scripts;
    }

    HttpReply feed(
            SqlRequest request, RequestContext context, ContainerAddress address, Kind kind) {
        return switch (request.method()) {
            case "GET" -> list(request, context, address, kind);
            case "POST" ->
                    request.isQuery()
                            ? list(request, context, address, kind)
                            : create(request, context, address, kind);
            default -> throw SqlEndpoint.methodNotAllowed(request);
        };
    }

    HttpReply entity(
            SqlRequest request,
            RequestContext context,
            ContainerAddress address,
            Kind kind,
            String id) {
        ResourceRef script = address.script(kind, id);
        return switch (request.method()) {
            case "GET" -> read(request, context, address, kind, script);
            case "POST" -> post(request, context, address, kind, script);
            case "PUT" -> replace(request, context, address, kind, script);
            case "DELETE" -> delete(request, context, address, kind, script);
            default -> throw SqlEndpoint.methodNotAllowed(request);
        };
    }

    /** Only procedures can be run by themselves. */
    private HttpReply post(
            SqlRequest request,
            RequestContext context,
            ContainerAddress address,
            Kind kind,
            ResourceRef script) {
        if (kind != Kind.PROCEDURE) {
            throw SqlEndpoint.methodNotAllowed(request);
        }
        address.checkRange();
        ProcedureAnswer answer =
                items.execute(
                        context,
                        address.ref(),
                        ItemRoutes.requireKey(request, address),
                        script,
                        request.body(),
                        request.flag(SqlHeaders.SCRIPT_LOGGING));
        Owner owner = address.owner();
        SqlReply reply =
                new SqlReply(request, 200)
                        .charge(answer.charge())
                        .sessionToken(answer.sessionToken())
                        .owner(owner.rid(), owner.path())
                        .header(SqlHeaders.RANGE_ID, Integer.toString(answer.range()))
                        .header(SqlHeaders.LSN, Long.toString(answer.lsn()));
        ScriptLog.add(reply, answer.log());
        answer.body().ifPresent(reply::body);
        return reply.build();
    }

    private HttpReply list(
            SqlRequest request, RequestContext context, ContainerAddress address, Kind kind) {
        ResourceFeed<Script> feed = new ResourceFeed<>(array(kind), ScriptJson::write);
        return feed.reply(
                request,
                address.container().rid().toString(),
                page -> scripts.list(context, address.ref(), kind, page));
    }

    private static String array(Kind kind) {
        return switch (kind) {
            case PROCEDURE -> "StoredProcedures";
            case TRIGGER -> "Triggers";
            case FUNCTION -> "UserDefinedFunctions";
        };
    }

    private HttpReply create(
            SqlRequest request, RequestContext context, ContainerAddress address, Kind kind) {
        ScriptDefinition definition = ScriptJson.parse(kind, request.body());
        if (request.flag(SqlHeaders.IS_UPSERT)) {
            return upsert(request, context, address, definition);
        }
        return reply(request, address, 201, scripts.create(context, address.ref(), definition));
    }

    /**
     * If another client creates the script in between, this client is told that it exists and can
     * ask again.
     */
    private HttpReply upsert(
            SqlRequest request,
            RequestContext context,
            ContainerAddress address,
            ScriptDefinition definition) {
        ResourceRef named = new ResourceRef.Named(definition.name());
        try {
            Script replaced =
                    scripts.replace(context, address.ref(), named, definition, request.ifMatch());
            return reply(request, address, 200, replaced);
        } catch (OrreryException failure) {
            if (failure.code() != ErrorCode.NOT_FOUND) {
                throw failure;
            }
            return reply(request, address, 201, scripts.create(context, address.ref(), definition));
        }
    }

    private HttpReply read(
            SqlRequest request,
            RequestContext context,
            ContainerAddress address,
            Kind kind,
            ResourceRef ref) {
        Script script = scripts.read(context, address.ref(), kind, ref);
        return request.alreadyHas(script.etag().quoted())
                ? SqlReply.notModified(request, script.etag())
                : reply(request, address, 200, script);
    }

    private HttpReply replace(
            SqlRequest request,
            RequestContext context,
            ContainerAddress address,
            Kind kind,
            ResourceRef ref) {
        ScriptDefinition definition = ScriptJson.parse(kind, request.body());
        return reply(
                request,
                address,
                200,
                scripts.replace(context, address.ref(), ref, definition, request.ifMatch()));
    }

    private HttpReply delete(
            SqlRequest request,
            RequestContext context,
            ContainerAddress address,
            Kind kind,
            ResourceRef ref) {
        scripts.delete(context, address.ref(), kind, ref, request.ifMatch());
        return new SqlReply(request, 204).charge(RequestCharge.METADATA).build();
    }

    private static HttpReply reply(
            SqlRequest request, ContainerAddress address, int status, Script script) {
        Owner owner = address.owner();
        return new SqlReply(request, status)
                .charge(RequestCharge.METADATA)
                .etag(script.etag())
                .owner(owner.rid(), owner.path())
                .body(ScriptJson.write(script))
                .build();
    }
}
