package orrery.frontend.operator;

import java.lang.System.Logger;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import orrery.document.Value;
import orrery.frontend.http.Admission;
import orrery.frontend.http.Decimal;
import orrery.frontend.http.HttpHandler;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpRequest;
import orrery.frontend.rest.BodyReader;
import orrery.frontend.rest.BucketsJson;
import orrery.frontend.rest.Json;
import orrery.frontend.rest.JsonReply;
import orrery.frontend.rest.KeyAuthenticator;
import orrery.frontend.rest.ResourcePath;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ContainerReport;
import orrery.gateway.api.Fault;
import orrery.gateway.api.Operations;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.api.Resources;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.RequestContext.Principal;
import orrery.model.Throughput;
import orrery.model.ThroughputBuckets;
import orrery.model.resource.Offer;

/**
 * The API of operators: one blocking function from a request to its reply. Requests are signed with
 * an account key, like those of the SQL API; a read-only key reads, and the engine refuses it the
 * rest. Safe for many threads.
 */
public final class OperatorEndpoint implements HttpHandler {
    /** Everything below it is ours; no SDK asks for such a path. */
    public static final String PREFIX = "/_orrery/dbs";

    private static final Logger LOG = System.getLogger(OperatorEndpoint.class.getName());
    private static final String BUCKETS = "buckets";
    private static final Set<String> OF_CONTAINERS =
            Set.of(
                    "partitions",
                    "split",
                    "merge",
                    "repair",
                    "throughput",
                    BUCKETS,
                    "redistribute",
                    "fault");
    private static final int ROOT_LENGTH = "/_orrery".length();
    private static final int DEFAULT_KEYS = 5;
    private static final int MOST_KEYS = 100;

    private final Resources resources;
    private final Operations operations;
    private final KeyAuthenticator keys;
    private final Duration timeout;

    /**
     * @param timeout how long the engine may take over one request
     */
    public OperatorEndpoint(
            Resources resources, Operations operations, KeyAuthenticator keys, Duration timeout) {
        this.resources = resources;
        this.operations = operations;
        this.keys = keys;
        this.timeout = timeout;
    }

    @Override
    public HttpReply handle(HttpRequest request) throws InterruptedException {
        return admit(request).answer(request);
    }

    @Override
    public Admission admit(HttpRequest head) {
        try {
            // The signature covers the path after the root: the last segment is the type, those
            // before it name the resource.
            ResourcePath path = ResourcePath.parse(head.path().substring(ROOT_LENGTH));
            Principal principal = keys.authenticate(head, path);
            return new Admission.Admitted(
                    true, principal.kind(), whole -> answer(whole, path, principal));
        } catch (RuntimeException failure) {
            return new Admission.Refused(JsonReply.failed(LOG, head, failure));
        }
    }

    private HttpReply answer(HttpRequest request, ResourcePath path, Principal principal) {
        try {
            return JsonReply.of(answer(request, path.segments(), principal));
        } catch (RuntimeException failure) {
            return JsonReply.failed(LOG, request, failure);
        }
    }

    private Value.Obj answer(HttpRequest request, List<String> segments, Principal principal) {
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
            String database = segments.get(1);
            String container = segments.get(3);
            try {
                return ofContainer(
                        request,
                        context,
                        resources.resolve(
                                context,
                                ContainerRef.Addressed.byName(database, container),
                                ContainerRef.Role.SUBJECT),
                        segments.get(4));
            } catch (OrreryException failure) {
                throw named(failure, database, container);
            }
        }
        if (segments.size() == 3 && segments.get(2).equals("throughput")) {
            return ofDatabase(request, context, segments.get(1));
        }
        throw nothingHere(request);
    }

    /** The engine says that something is missing; people want to know what. */
    private static OrreryException named(
            OrreryException failure, String database, String container) {
        return switch (failure.code()) {
            case OWNER_NOT_FOUND -> noDatabase(database);
            case NOT_FOUND ->
                    new OrreryException(
                            ErrorCode.NOT_FOUND,
                            "There is no container '"
                                    + container
                                    + "' in the database '"
                                    + database
                                    + "'.");
            default -> failure;
        };
    }

    private static OrreryException noDatabase(String name) {
        return new OrreryException(ErrorCode.NOT_FOUND, "There is no database '" + name + "'.");
    }

    private Value.Obj ofContainer(
            HttpRequest request,
            RequestContext context,
            ContainerRef.Resolved target,
            String what) {
        return switch (request.method() + " " + what) {
            case "GET partitions" -> partitions(request, context, target);
            case "POST split" ->
                    ReportJson.write(operations.splitPartition(context, target, range(request)));
            case "POST merge" ->
                    ReportJson.write(operations.mergePartitions(context, target, range(request)));
            case "POST repair" -> {
                operations.repairPartition(context, target, range(request));
                yield Json.builder().build();
            }
            case "POST redistribute" -> {
                Offer offer = offer(context, target);
                yield RedistributionJson.write(
                        operations.redistribute(
                                context, target, RedistributionJson.parse(request.body())),
                        offer.throughput());
            }
            case "GET throughput" -> throughput(context, offer(context, target));
            case "PUT throughput" -> {
                Offer present = offer(context, target);
                yield throughput(context, replace(request, context, present));
            }
            case "GET " + BUCKETS -> buckets(offer(context, target));
            case "PUT " + BUCKETS -> buckets(setBuckets(request, context, offer(context, target)));
            case "GET fault" -> FaultJson.write(operations.findFault(context, target));
            case "POST fault" -> {
                Fault fault = FaultJson.parse(request.body());
                operations.setFault(context, target, Optional.of(fault));
                yield FaultJson.write(Optional.of(fault));
            }
            case "DELETE fault" -> {
                operations.setFault(context, target, Optional.empty());
                yield FaultJson.write(Optional.empty());
            }
            default -> throw JsonReply.methodNotAllowed(request);
        };
    }

    private Value.Obj ofDatabase(HttpRequest request, RequestContext context, String name) {
        Offer present;
        try {
            present =
                    resources
                            .findOffer(
                                    context,
                                    resources
                                            .readDatabase(context, new ResourceRef.Named(name))
                                            .rid())
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
            case "GET" -> throughput(context, present);
            case "PUT" -> throughput(context, replace(request, context, present));
            default -> throw JsonReply.methodNotAllowed(request);
        };
    }

    private Value.Obj partitions(
            HttpRequest request, RequestContext context, ContainerRef.Resolved target) {
        ContainerReport report = resources.inspect(context, target, keys(request));
        return ReportJson.write(
                target.database().name(),
                report,
                report.offer().map(offer -> throughput(context, offer)),
                operations.findFault(context, target));
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

    private Offer offer(RequestContext context, ContainerRef.Resolved target) {
        return resources
                .findOffer(context, target.container().rid())
                .orElseThrow(
                        () ->
                                new OrreryException(
                                        ErrorCode.BAD_REQUEST,
                                        "The container shares the throughput of its database. Ask"
                                                + " for that of '"
                                                + target.database().name()
                                                + "'."));
    }

    private Offer replace(HttpRequest request, RequestContext context, Offer present) {
        return resources.replaceOffer(
                context, present.rid(), ThroughputJson.parse(request.body(), present.throughput()));
    }

    private Offer setBuckets(HttpRequest request, RequestContext context, Offer present) {
        BodyReader body = BodyReader.of(request.body());
        ThroughputBuckets wanted =
                BucketsJson.parse(body, BUCKETS)
                        .orElseThrow(() -> body.refused(BUCKETS, "is missing"));
        body.finish();
        // A throughput that somebody sets meanwhile must not be overwritten with the earlier one.
        return resources.replaceOffer(
                context,
                present.rid(),
                present.throughput(),
                Optional.of(wanted),
                new Precondition.Matches(present.etag()));
    }

    private static Value.Obj buckets(Offer offer) {
        return Json.builder().put(BUCKETS, BucketsJson.write(offer.buckets())).build();
    }

    private Value.Obj throughput(RequestContext context, Offer offer) {
        Throughput throughput = offer.throughput();
        return ThroughputJson.write(
                throughput,
                offer.container() == 0,
                resources.minimumThroughput(context, offer),
                resources.isReplacePending(context, offer));
    }

    private static OrreryException nothingHere(HttpRequest request) {
        return new OrreryException(
                ErrorCode.NOT_FOUND, "There is nothing at " + request.path() + ".");
    }
}
