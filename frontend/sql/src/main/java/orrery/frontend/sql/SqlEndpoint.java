package orrery.frontend.sql;

import java.lang.System.Logger;
import java.util.Optional;
import orrery.frontend.http.Admission;
import orrery.frontend.http.ErrorRenderer;
import orrery.frontend.http.HttpHandler;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpRequest;
import orrery.frontend.rest.HeardFailure;
import orrery.frontend.rest.KeyAuthenticator;
import orrery.frontend.sql.Addresses.ContainerAddress;
import orrery.frontend.sql.Addresses.DatabaseAddress;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.Items;
import orrery.gateway.api.Resources;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestContext;
import orrery.model.RequestContext.Principal;
import orrery.model.resource.ClientEncryptionKey;
import orrery.model.resource.User;

/** The SQL API: one blocking function from a request to its reply. Safe for many threads. */
public final class SqlEndpoint implements HttpHandler {
    private static final Logger LOG = System.getLogger(SqlEndpoint.class.getName());

    private final SqlConfig config;
    private final KeyAuthenticator keys;
    private final Addresses addresses;
    private final DatabaseRoutes databases;
    private final ContainerRoutes containers;
    private final PartitionRangeRoutes partitionRanges;
    private final ItemRoutes items;
    private final ScriptRoutes scripts;
    private final ConflictRoutes conflicts;
    private final OfferRoutes offers;
    private final DatabaseChildRoutes<User> users;
    private final PermissionRoutes permissions;
    private final DatabaseChildRoutes<ClientEncryptionKey> encryptionKeys;

    /**
     * @param keys tells who signed a request
     */
    public SqlEndpoint(Items items, Resources resources, KeyAuthenticator keys, SqlConfig config) {
        this.config = config;
        this.keys = keys;
        this.addresses = new Addresses(resources);
        this.databases = new DatabaseRoutes(resources, addresses);
        this.containers = new ContainerRoutes(resources, addresses);
        this.partitionRanges = new PartitionRangeRoutes(resources);
        this.items = new ItemRoutes(items);
        this.scripts = new ScriptRoutes(items, resources.scripts());
        this.conflicts = new ConflictRoutes();
        this.offers = new OfferRoutes(resources);
        this.users = UserCalls.routes(resources.users());
        this.permissions = new PermissionRoutes(resources);
        this.encryptionKeys = ClientEncryptionKeyCalls.routes(resources.clientEncryptionKeys());
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
        try {
            SqlPath path = SqlPath.parse(head.path());
            SqlRoute route = route(head, path);
            Principal principal = keys.authenticate(head, path);
            return new Admission.Admitted(
                    true, principal.kind(), whole -> answer(whole, route, principal));
        } catch (RuntimeException failure) {
            return new Admission.Refused(failed(new SqlRequest(head), failure, Optional.empty()));
        }
    }

    @Override
    public boolean isManagement(HttpRequest head) {
        if (!HttpHandler.super.isManagement(head)) {
            return false;
        }
        SqlRequest request = new SqlRequest(head);
        if (request.isQuery()) {
            return false;
        }
        try {
            return SqlRoute.of(SqlPath.parse(head.path()))
                    .filter(route -> isManaged(request, route))
                    .isPresent();
        } catch (OrreryException malformed) {
            return false;
        }
    }

    private static boolean isManaged(SqlRequest request, SqlRoute route) {
        return switch (route) {
            case SqlRoute.Items _, SqlRoute.Item _, SqlRoute.KeyDelete _ -> false;
            // Procedures are run with POST.
            case SqlRoute.Script _ -> !request.method().equals("POST");
            default -> true;
        };
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
            return failed(request, failure, Optional.empty());
        }
    }

    /**
     * @param owner the container that the request has reached, if it has
     */
    private static HttpReply failed(
            SqlRequest request, RuntimeException cause, Optional<Owner> owner) {
        return SqlErrors.reply(
                request, HeardFailure.of(LOG, "activity id " + request.activityId(), cause), owner);
    }

    private HttpReply answer(SqlRequest request, SqlRoute route, Principal principal) {
        RequestContext context = request.context(principal, config);
        return switch (route) {
            case SqlRoute.Account _ -> account(request);
            case SqlRoute.Databases _ -> databases.feed(request, context);
            case SqlRoute.Database database -> databases.entity(request, context, database);
            case SqlRoute.Containers feed -> containers.feed(request, context, feed);
            case SqlRoute.Container container -> containers.entity(request, context, container);
            case SqlRoute.InContainer inside -> inContainer(request, context, inside);
            case SqlRoute.Offers _ -> offers.feed(request, context);
            case SqlRoute.Offer offer -> offers.entity(request, context, offer);
            case SqlRoute.InDatabase inside -> inDatabase(request, context, inside);
            case SqlRoute.Replicas _ -> throw new IllegalStateException("answered above");
        };
    }

    private HttpReply inDatabase(
            SqlRequest request, RequestContext context, SqlRoute.InDatabase route) {
        DatabaseAddress database = addresses.owner(context, route.database());
        return switch (route) {
            case SqlRoute.Users _ -> users.feed(request, context, database);
            case SqlRoute.User user -> users.entity(request, context, database, user.user());
            case SqlRoute.Permissions feed ->
                    permissions.feed(request, context, database, feed.user());
            case SqlRoute.Permission permission ->
                    permissions.entity(request, context, database, permission);
            case SqlRoute.ClientEncryptionKeys _ -> encryptionKeys.feed(request, context, database);
            case SqlRoute.ClientEncryptionKey key ->
                    encryptionKeys.entity(request, context, database, key.key());
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

    /** Finds the container once; all that follows is about this one. */
    private HttpReply inContainer(
            SqlRequest request, RequestContext context, SqlRoute.InContainer route) {
        Optional<ContainerAddress> reached = Optional.empty();
        try {
            ContainerAddress address =
                    addresses.container(
                            request,
                            context,
                            route.database(),
                            route.container(),
                            ContainerRef.Role.OWNER);
            reached = Optional.of(address);
            return inContainer(request, context, route, address);
        } catch (OrreryException failure) {
            return failed(
                    request,
                    forBulk(request, route, failure),
                    reached.map(ContainerAddress::owner));
        }
    }

    private HttpReply inContainer(
            SqlRequest request,
            RequestContext context,
            SqlRoute.InContainer route,
            ContainerAddress address) {
        return switch (route) {
            case SqlRoute.Items _ -> items.feed(request, context, address);
            case SqlRoute.Item(_, _, String id) -> items.entity(request, context, address, id);
            case SqlRoute.KeyDelete _ -> items.deleteKey(request, context, address);
            case SqlRoute.PartitionRanges _ -> partitionRanges.feed(request, context, address);
            case SqlRoute.PartitionRange(_, _, String id) ->
                    partitionRanges.entity(request, context, address, id);
            case SqlRoute.Scripts(_, _, var kind) -> scripts.feed(request, context, address, kind);
            case SqlRoute.Script(_, _, var kind, String id) ->
                    scripts.entity(request, context, address, kind, id);
            case SqlRoute.Conflicts _ -> conflicts.feed(request, address);
            case SqlRoute.Conflict(_, _, String id) -> conflicts.entity(request, address, id);
        };
    }

    /** Clients of bulks look for the plain code where a container is gone. */
    private static OrreryException forBulk(
            SqlRequest request, SqlRoute route, OrreryException failure) {
        return failure.code() == ErrorCode.OWNER_NOT_FOUND
                        && route instanceof SqlRoute.Items
                        && BatchRoutes.isBulk(request)
                ? failure.withCode(ErrorCode.NOT_FOUND)
                : failure;
    }

    static OrreryException methodNotAllowed(SqlRequest request) {
        return new OrreryException(
                ErrorCode.METHOD_NOT_ALLOWED,
                "The requested verb is not supported: "
                        + request.method()
                        + " "
                        + request.http().path());
    }

    /** Refuses to replace a resource by an upsert: whoever does that must know what it holds. */
    static void refuseUpsert(SqlRequest request, String resources) {
        if (request.flag(SqlHeaders.IS_UPSERT)) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    resources
                            + " cannot be upserted. Create them without "
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
