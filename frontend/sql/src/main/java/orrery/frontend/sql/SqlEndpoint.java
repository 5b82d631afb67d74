package orrery.frontend.sql;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import orrery.frontend.http.Admission;
import orrery.frontend.http.ErrorRenderer;
import orrery.frontend.http.HttpHandler;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpRequest;
import orrery.gateway.api.Engine;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestContext;
import orrery.model.RequestContext.Principal;

/** The SQL API: one blocking function from a request to its reply. Safe for many threads. */
public final class SqlEndpoint implements HttpHandler {
    private static final Logger LOG = System.getLogger(SqlEndpoint.class.getName());

    /** The reply to OPTIONS: the methods that any resource may have. */
    private static final HttpReply OPTIONS =
            HttpReply.status(200).header("Allow", "GET, POST, PUT, PATCH, DELETE, OPTIONS").build();

    private final Engine engine;
    private final SqlConfig config;
    private final HttpHandler ownPages;
    private final MasterKeyAuthorizer authorizer;
    private final Addresses addresses;
    private final DatabaseRoutes databases;
    private final ContainerRoutes containers;
    private final PartitionRangeRoutes partitionRanges;
    private final ItemRoutes items;
    private final ScriptRoutes scripts;
    private final ConflictRoutes conflicts;
    private final OfferRoutes offers;

    /**
     * Answers the API from the engine.
     *
     * @param ownPages answers what lies under {@code /_} and decides itself whom it admits: the
     *     certificate of the server ({@code /_orrery/ca.crt}), the operator API
     */
    public SqlEndpoint(Engine engine, SqlConfig config, HttpHandler ownPages) {
        this.engine = engine;
        this.config = config;
        this.ownPages = ownPages;
        this.authorizer =
                new MasterKeyAuthorizer(config.keys(), config.keyPolicy(), config.clock());
        this.addresses = new Addresses(engine);
        this.databases = new DatabaseRoutes(engine, addresses);
        this.containers = new ContainerRoutes(engine, addresses);
        this.partitionRanges = new PartitionRangeRoutes(engine, addresses);
        this.items = new ItemRoutes(engine, addresses);
        this.scripts = new ScriptRoutes(engine, addresses);
        this.conflicts = new ConflictRoutes(engine, addresses);
        this.offers = new OfferRoutes(engine);
    }

    /** Returns the renderer for errors of the HTTP server itself. */
    public static ErrorRenderer errors() {
        return SqlErrors.renderer();
    }

    @Override
    public HttpReply handle(HttpRequest http) throws InterruptedException {
        return admit(http).answer(http);
    }

    /** Says who asks: what is signed is all in the head, so nobody else gets to send a body. */
    @Override
    public Admission admit(HttpRequest head) {
        if (head.method().equals("OPTIONS")) {
            return new Admission.Admitted(false, _ -> OPTIONS);
        }
        if (head.path().startsWith("/_")) {
            return ownPage(head);
        }
        try {
            SqlPath path = SqlPath.parse(head.path());
            SqlRoute route = route(head, path);
            Principal principal = authorizer.authorize(head, path);
            return new Admission.Admitted(true, whole -> answer(whole, route, principal));
        } catch (RuntimeException failure) {
            return new Admission.Refused(failed(new SqlRequest(head), failure));
        }
    }

    private Admission ownPage(HttpRequest head) {
        return switch (ownPages.admit(head)) {
            case Admission.Refused refused -> refused;
            case Admission.Admitted(boolean isKnown, HttpHandler page) ->
                    new Admission.Admitted(isKnown, whole -> ownPage(whole, page));
        };
    }

    private HttpReply ownPage(HttpRequest whole, HttpHandler page) throws InterruptedException {
        try {
            return page.handle(whole);
        } catch (RuntimeException failure) {
            return failed(new SqlRequest(whole), failure);
        }
    }

    private static SqlRoute route(HttpRequest head, SqlPath path) {
        SqlRoute route =
                SqlRoute.of(path)
                        .orElseThrow(
                                () ->
                                        new OrreryException(
                                                ErrorCode.NOT_FOUND,
                                                "Resource Not Found. There is nothing at "
                                                        + head.path()
                                                        + "."));
        if (route instanceof SqlRoute.Replicas) {
            // Signed for what it asks about, not for its path; whoever asks learns nothing but
            // this.
            throw notBuilt("direct mode; set the client to gateway mode");
        }
        return route;
    }

    private HttpReply answer(HttpRequest whole, SqlRoute route, Principal principal) {
        SqlRequest request = new SqlRequest(whole);
        try {
            return answer(request, route, principal);
        } catch (RuntimeException failure) {
            return failed(request, failure);
        }
    }

    private HttpReply failed(SqlRequest request, RuntimeException cause) {
        if (cause instanceof OrreryException failure && failure.code() != ErrorCode.INTERNAL) {
            return SqlErrors.reply(request, failure, owner(request, failure));
        }
        LOG.log(Level.ERROR, "request " + request.activityId() + " failed", cause);
        // The internal cause goes to the log; a client can do nothing with it.
        OrreryException told =
                new OrreryException(
                        ErrorCode.INTERNAL,
                        "The server failed to answer; its log has the reason under the activity id.",
                        cause);
        return SqlErrors.reply(
                request,
                cause instanceof OrreryException failure ? told.withCharge(failure.charge()) : told,
                Optional.empty());
    }

    private HttpReply answer(SqlRequest request, SqlRoute route, Principal principal) {
        checkAllowed(request, route, principal);
        RequestContext context = request.context(principal, config);
        return switch (route) {
            case SqlRoute.Account _ -> account(request);
            case SqlRoute.Databases _ -> databases.feed(request, context);
            case SqlRoute.Database database -> databases.entity(request, context, database);
            case SqlRoute.Containers feed -> containers.feed(request, context, feed);
            case SqlRoute.Container container -> containers.entity(request, context, container);
            case SqlRoute.Items feed -> items.feed(request, context, feed);
            case SqlRoute.Item item -> items.entity(request, context, item);
            case SqlRoute.KeyDelete keys -> items.deleteKey(request, context, keys);
            case SqlRoute.PartitionRanges feed -> partitionRanges.feed(request, context, feed);
            case SqlRoute.PartitionRange range -> partitionRanges.entity(request, context, range);
            case SqlRoute.Scripts feed -> scripts.feed(request, context, feed);
            case SqlRoute.Script script -> scripts.entity(request, context, script);
            case SqlRoute.Conflicts feed -> conflicts.feed(request, context, feed);
            case SqlRoute.Conflict conflict -> conflicts.entity(request, context, conflict);
            case SqlRoute.Offers _ -> offers.feed(request, context);
            case SqlRoute.Offer offer -> offers.entity(request, context, offer);
            case SqlRoute.NotBuilt(String feature) -> throw notBuilt(feature);
            case SqlRoute.Replicas _ -> throw new IllegalStateException("answered above");
        };
    }

    private HttpReply account(SqlRequest request) {
        if (!request.method().equals("GET")) {
            throw methodNotAllowed(request);
        }
        // There is no media storage here. Old clients read both numbers all the same.
        return new SqlReply(request, 200)
                .header(SqlHeaders.MAX_MEDIA_STORAGE, "0")
                .header(SqlHeaders.MEDIA_STORAGE, "0")
                .body(AccountJson.write(config, request.http()))
                .build();
    }

    /**
     * A read-only key reads and queries, which is a post, and nothing else. What a batch does is in
     * its body: of that the engine decides.
     */
    private static void checkAllowed(SqlRequest request, SqlRoute route, Principal principal) {
        switch (principal) {
            case Principal.Account(boolean isReadOnly) -> {
                boolean isRead =
                        request.method().equals("GET")
                                || (request.method().equals("POST")
                                        && (request.isQuery()
                                                || request.isQueryPlan()
                                                || (route instanceof SqlRoute.Items
                                                        && request.flag(
                                                                SqlHeaders.BATCH_REQUEST))));
                if (isReadOnly && !isRead) {
                    throw new OrreryException(
                            ErrorCode.FORBIDDEN,
                            "A read-only key cannot change anything. Use a read-write key of the"
                                    + " account.");
                }
            }
        }
    }

    /** A failure that reports progress of a session does so for a container; say for which. */
    private Optional<Owner> owner(SqlRequest request, OrreryException failure) {
        if (failure.sessionToken().isEmpty()) {
            return Optional.empty();
        }
        try {
            RequestContext context = request.context(new Principal.Account(true), config);
            return switch (SqlRoute.of(SqlPath.parse(request.http().path())).orElseThrow()) {
                case SqlRoute.Item(String database, String container, _) ->
                        Optional.of(owner(request, context, database, container));
                case SqlRoute.Items(String database, String container) ->
                        Optional.of(owner(request, context, database, container));
                case SqlRoute.Script(String database, String container, _, _) ->
                        Optional.of(owner(request, context, database, container));
                default -> Optional.empty();
            };
        } catch (OrreryException gone) {
            // The container was deleted meanwhile; there is no session left to keep.
            return Optional.empty();
        }
    }

    private Owner owner(
            SqlRequest request, RequestContext context, String database, String container) {
        Addresses.ContainerAddress address =
                addresses.container(request, context, database, container);
        return address.owner(engine.readOwner(context, address.ref()));
    }

    static OrreryException methodNotAllowed(SqlRequest request) {
        return new OrreryException(
                ErrorCode.METHOD_NOT_ALLOWED,
                "The requested verb is not supported: "
                        + request.method()
                        + " "
                        + request.http().path());
    }

    /** Databases and containers are replaced knowingly or not at all. */
    static void refuseUpsert(SqlRequest request) {
        if (request.flag(SqlHeaders.IS_UPSERT)) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "Databases and containers cannot be upserted. Create them without "
                            + SqlHeaders.IS_UPSERT
                            + ".");
        }
    }

    /** The feature is named so that whoever reads the error knows what to wait for. */
    static OrreryException notBuilt(String feature) {
        return new OrreryException(
                ErrorCode.NOT_IMPLEMENTED, "Not implemented yet: " + feature + ".");
    }
}
