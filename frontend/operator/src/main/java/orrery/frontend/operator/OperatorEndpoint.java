package orrery.frontend.operator;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.frontend.http.Admission;
import orrery.frontend.http.Decimal;
import orrery.frontend.http.HttpHandler;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpRequest;
import orrery.frontend.sql.BodyReader;
import orrery.frontend.sql.Json;
import orrery.frontend.sql.MasterKeyAuthorizer;
import orrery.frontend.sql.SqlPath;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ContainerReport;
import orrery.gateway.api.Engine;
import orrery.gateway.api.Fault;
import orrery.gateway.api.ResourceRef;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestContext;
import orrery.model.RequestContext.Principal;
import orrery.model.Throughput;
import orrery.model.resource.Offer;
import orrery.model.resource.PartitionMap;

/**
 * The API of operators: one blocking function from a request to its reply. Requests are signed with
 * an account key, like those of the SQL API; a read-only key reads, and the engine refuses it the
 * rest. Safe for many threads.
 */
public final class OperatorEndpoint implements HttpHandler {
    /** Everything below it is ours; no SDK asks for such a path. */
    public static final String PREFIX = "/_orrery/dbs/";

    private static final Logger LOG = System.getLogger(OperatorEndpoint.class.getName());
    private static final Set<String> OF_CONTAINERS =
            Set.of("partitions", "split", "merge", "repair", "throughput", "redistribute", "fault");
    private static final int ROOT_LENGTH = "/_orrery".length();
    private static final int DEFAULT_KEYS = 5;
    private static final int MOST_KEYS = 100;

    private final Engine engine;
    private final MasterKeyAuthorizer authorizer;
    private final Duration timeout;

    /**
     * @param timeout how long the engine may take over one request
     */
    public OperatorEndpoint(Engine engine, MasterKeyAuthorizer authorizer, Duration timeout) {
        this.engine = engine;
        this.authorizer = authorizer;
        this.timeout = timeout;
    }

    @Override
    public HttpReply handle(HttpRequest request) throws InterruptedException {
        return admit(request).answer(request);
    }

    @Override
    public Admission admit(HttpRequest head) {
        try {
            // The signature covers the path after the prefix, by the rules of the SQL API: the last
            // segment is the type, those before it name the resource.
            SqlPath path = SqlPath.parse(head.path().substring(ROOT_LENGTH));
            Principal principal = authorizer.authorize(head, path);
            return new Admission.Admitted(true, whole -> answer(whole, path, principal));
        } catch (RuntimeException failure) {
            return new Admission.Refused(failed(head, failure));
        }
    }

    private HttpReply answer(HttpRequest request, SqlPath path, Principal principal) {
        try {
            return answer(request, path.segments(), principal);
        } catch (RuntimeException failure) {
            return failed(request, failure);
        }
    }

    private static HttpReply failed(HttpRequest request, RuntimeException cause) {
        if (cause instanceof OrreryException failure && failure.code() != ErrorCode.INTERNAL) {
            return error(failure.code(), failure.text());
        }
        LOG.log(Level.ERROR, request.method() + " " + request.path(), cause);
        return error(ErrorCode.INTERNAL, "The server failed to answer; its log has the reason.");
    }

    private HttpReply answer(HttpRequest request, List<String> segments, Principal principal) {
        RequestContext context =
                new RequestContext(
                        UUID.randomUUID(),
                        principal,
                        Optional.empty(),
                        Optional.empty(),
                        System.nanoTime() + timeout.toNanos());
        boolean isOfContainer =
                segments.size() == 5
                        && segments.get(2).equals("colls")
                        && OF_CONTAINERS.contains(segments.get(4));
        if (isOfContainer) {
            Target target = new Target(segments.get(1), segments.get(3));
            try {
                return ofContainer(request, context, target, segments.get(4));
            } catch (OrreryException failure) {
                throw named(failure, target);
            }
        }
        if (segments.size() == 3 && segments.get(2).equals("throughput")) {
            return ofDatabase(request, context, segments.get(1));
        }
        throw nothingHere(request);
    }

    private record Target(String database, String container) {
        ContainerRef ref() {
            return new ContainerRef(
                    new ResourceRef.Named(database),
                    new ResourceRef.Named(container),
                    Optional.empty());
        }
    }

    /** The engine says that something is missing; people want to know what. */
    private static OrreryException named(OrreryException failure, Target target) {
        return switch (failure.code()) {
            case OWNER_NOT_FOUND -> noDatabase(target.database());
            case NOT_FOUND ->
                    new OrreryException(
                            ErrorCode.NOT_FOUND,
                            "There is no container '"
                                    + target.container()
                                    + "' in the database '"
                                    + target.database()
                                    + "'.");
            default -> failure;
        };
    }

    private static OrreryException noDatabase(String name) {
        return new OrreryException(ErrorCode.NOT_FOUND, "There is no database '" + name + "'.");
    }

    private HttpReply ofContainer(
            HttpRequest request, RequestContext context, Target target, String what) {
        return switch (request.method() + " " + what) {
            case "GET partitions" -> partitions(request, context, target);
            case "POST split" ->
                    reply(engine.splitPartition(context, target.ref(), range(request)));
            case "POST merge" ->
                    reply(engine.mergePartitions(context, target.ref(), range(request)));
            case "POST repair" -> {
                engine.repairPartition(context, target.ref(), range(request));
                yield reply(Json.builder().build());
            }
            case "POST redistribute" -> {
                Offer offer = offer(context, target);
                yield reply(
                        RedistributionJson.write(
                                engine.redistribute(
                                        context,
                                        target.ref(),
                                        RedistributionJson.parse(request.body())),
                                offer.throughput()));
            }
            case "GET throughput" -> reply(throughput(context, offer(context, target)));
            case "PUT throughput" -> {
                Offer present = offer(context, target);
                yield reply(throughput(context, replace(request, context, present)));
            }
            case "GET fault" -> reply(FaultJson.write(engine.findFault(context, target.ref())));
            case "POST fault" -> {
                Fault fault = FaultJson.parse(request.body());
                engine.setFault(context, target.ref(), Optional.of(fault));
                yield reply(FaultJson.write(Optional.of(fault)));
            }
            case "DELETE fault" -> {
                engine.setFault(context, target.ref(), Optional.empty());
                yield reply(FaultJson.write(Optional.empty()));
            }
            default -> throw methodNotAllowed(request);
        };
    }

    private HttpReply ofDatabase(HttpRequest request, RequestContext context, String name) {
        Offer present;
        try {
            present =
                    engine.findOffer(
                                    context,
                                    engine.readDatabase(context, new ResourceRef.Named(name)).rid())
                            .orElseThrow(
                                    () ->
                                            new OrreryException(
                                                    ErrorCode.BAD_REQUEST,
                                                    "The database '"
                                                            + name
                                                            + "' has no throughput of its own: each"
                                                            + " of its containers has."));
        } catch (OrreryException failure) {
            throw failure.code() == ErrorCode.NOT_FOUND ? noDatabase(name) : failure;
        }
        return switch (request.method()) {
            case "GET" -> reply(throughput(context, present));
            case "PUT" -> reply(throughput(context, replace(request, context, present)));
            default -> throw methodNotAllowed(request);
        };
    }

    private HttpReply partitions(HttpRequest request, RequestContext context, Target target) {
        ContainerReport report = engine.inspect(context, target.ref(), keys(request));
        return reply(
                ReportJson.write(
                        target.database(),
                        report,
                        report.offer().map(offer -> throughput(context, offer)),
                        engine.findFault(context, target.ref())));
    }

    private static int keys(HttpRequest request) {
        if (request.query().isEmpty()) {
            return DEFAULT_KEYS;
        }
        String name = "keys=";
        OptionalLong keys =
                request.query().startsWith(name)
                        ? Decimal.parse(request.query().substring(name.length()), 0, MOST_KEYS)
                        : OptionalLong.empty();
        return (int)
                keys.orElseThrow(
                        () ->
                                new OrreryException(
                                        ErrorCode.BAD_REQUEST,
                                        "The only parameter is keys, a number from 0 to "
                                                + MOST_KEYS
                                                + "."));
    }

    private static int range(HttpRequest request) {
        BodyReader body = BodyReader.of(request.body());
        OptionalLong range = body.integer("range");
        body.finish();
        long number = range.orElseThrow(() -> body.refused("range", "is missing"));
        if (number < 0 || number > Integer.MAX_VALUE) {
            throw body.refused("range", "is not the id of a range");
        }
        return (int) number;
    }

    private Offer offer(RequestContext context, Target target) {
        return engine.findOffer(context, engine.readContainer(context, target.ref()).rid())
                .orElseThrow(
                        () ->
                                new OrreryException(
                                        ErrorCode.BAD_REQUEST,
                                        "The container shares the throughput of its database. Ask"
                                                + " for that of '"
                                                + target.database()
                                                + "'."));
    }

    private Offer replace(HttpRequest request, RequestContext context, Offer present) {
        return engine.replaceOffer(
                context, present.rid(), ThroughputJson.parse(request.body(), present.throughput()));
    }

    private Value.Obj throughput(RequestContext context, Offer offer) {
        Throughput throughput = offer.throughput();
        return ThroughputJson.write(
                throughput,
                offer.container() == 0,
                engine.minimumThroughput(context, offer),
                engine.isReplacePending(context, offer));
    }

    private static HttpReply reply(PartitionMap map) {
        return reply(ReportJson.write(map));
    }

    private static HttpReply reply(Value body) {
        return HttpReply.json(200, JsonText.writeBytes(body));
    }

    private static HttpReply error(ErrorCode code, String text) {
        return HttpReply.json(
                code.status(),
                JsonText.writeBytes(
                        Json.builder().put("code", code.name()).put("message", text).build()));
    }

    private static OrreryException nothingHere(HttpRequest request) {
        return new OrreryException(
                ErrorCode.NOT_FOUND, "There is nothing at " + request.path() + ".");
    }

    private static OrreryException methodNotAllowed(HttpRequest request) {
        return new OrreryException(
                ErrorCode.METHOD_NOT_ALLOWED,
                request.method() + " is not possible at " + request.path() + ".");
    }
}
