package orrery.frontend.table;

import java.lang.System.Logger;
import java.util.UUID;
import orrery.frontend.http.Admission;
import orrery.frontend.http.ErrorRenderer;
import orrery.frontend.http.HttpHandler;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpRequest;
import orrery.frontend.rest.HeardFailure;
import orrery.frontend.table.batch.BatchRequest;
import orrery.gateway.api.Items;
import orrery.gateway.api.Resources;
import orrery.model.OrreryException;
import orrery.model.RequestContext;
import orrery.model.RequestContext.Principal;

/** The Table API: one blocking function from a request to its reply. Safe for many threads. */
public final class TableEndpoint implements HttpHandler {
    /** The largest body of a request, which is that of a batch. */
    public static final int MAX_BODY_BYTES = BatchRequest.MAX_BODY_BYTES;

    private static final Logger LOG = System.getLogger(TableEndpoint.class.getName());

    private final TableAuthenticator authenticator;
    private final TableConfig config;
    private final TableRoutes tables;
    private final EntityRoutes entities;
    private final BatchRoutes batches;
    private final SettingsRoutes settings;

    /**
     * @param authenticator tells who signed a request
     */
    public TableEndpoint(
            Items items,
            Resources resources,
            TableAuthenticator authenticator,
            TableConfig config) {
        this.authenticator = authenticator;
        this.config = config;
        this.tables = new TableRoutes(resources, config);
        this.settings = new SettingsRoutes(resources, config);
        this.entities = new EntityRoutes(items, resources, config);
        this.batches = new BatchRoutes(items, entities, config);
    }

    /** Returns the renderer for errors of the HTTP server itself. */
    public static ErrorRenderer errors(TableConfig config) {
        return TableErrors.renderer(config.clock());
    }

    @Override
    public HttpReply handle(HttpRequest http) throws InterruptedException {
        return admit(http).answer(http);
    }

    /** Says who asks: what is signed is all in the head, so nobody else gets to send a body. */
    @Override
    public Admission admit(HttpRequest head) {
        UUID id = RequestContext.newActivityId();
        try {
            TableRequest request = TableRequest.parse(id, head);
            Principal principal =
                    authenticator.authenticate(head, request.path(), request.options());
            return new Admission.Admitted(
                    true, principal.kind(), whole -> answer(request.with(whole), principal));
        } catch (RuntimeException failure) {
            return new Admission.Refused(failed(head, id, failure, TableErrors.Subject.ENTITY));
        }
    }

    /** Tables, access policies and properties of the service are managed; entities are not. */
    @Override
    public boolean isManagement(HttpRequest head) {
        if (!HttpHandler.super.isManagement(head)) {
            return false;
        }
        try {
            TableRequest request = TableRequest.parse(new UUID(0, 0), head);
            return switch (request.path().target()) {
                case TablePath.Batch _, TablePath.Entity _ -> false;
                case TablePath.Entities _ -> request.options().has("comp");
                case TablePath.Service _, TablePath.Tables _, TablePath.Table _ -> true;
            };
        } catch (TableException malformed) {
            return false;
        }
    }

    /** Paths of tables name no types. */
    @Override
    public String resourceType(HttpRequest head) {
        try {
            TableRequest request = TableRequest.parse(new UUID(0, 0), head);
            return switch (request.path().target()) {
                case TablePath.Tables _, TablePath.Table _ -> "tables";
                case TablePath.Entities _ when request.options().has("comp") ->
                        "table access policies";
                case TablePath.Entities _, TablePath.Entity _ -> "entities";
                case TablePath.Batch _ -> "$batch";
                case TablePath.Service _ -> "table service";
            };
        } catch (TableException malformed) {
            return "";
        }
    }

    private HttpReply answer(TableRequest request, Principal principal) {
        try {
            return route(request, request.context(principal, config));
        } catch (RuntimeException failure) {
            return failed(request.http(), request.id(), failure, subject(request));
        }
    }

    private HttpReply route(TableRequest request, RequestContext context) {
        return switch (request.path().target()) {
            case TablePath.Tables _ -> tables.feed(request, context);
            case TablePath.Table(String name) -> tables.table(request, context, name);
            case TablePath.Entities(String table) when request.options().is("comp", "acl") ->
                    settings.policies(request, context, table);
            case TablePath.Entities(String table) -> entities.feed(request, context, table);
            case TablePath.Service _ -> settings.service(request, context);
            case TablePath.Entity entity -> entities.entity(request, context, entity);
            case TablePath.Batch _ -> batches.run(request, context);
        };
    }

    private static TableErrors.Subject subject(TableRequest request) {
        return switch (request.path().target()) {
            case TablePath.Tables _, TablePath.Table _ -> TableErrors.Subject.TABLE;
            default -> TableErrors.Subject.ENTITY;
        };
    }

    private HttpReply failed(
            HttpRequest http, UUID id, RuntimeException cause, TableErrors.Subject subject) {
        TableException told =
                cause instanceof TableException refusal
                        ? refusal
                        : TableErrors.of(heard(id, cause), subject);
        return TableErrors.reply(http, id, told, config.clock().instant());
    }

    private static OrreryException heard(UUID id, RuntimeException cause) {
        return HeardFailure.of(LOG, "request id " + id, cause);
    }
}
