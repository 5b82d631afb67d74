package orrery.frontend.table;

import orrery.frontend.http.HttpReply;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.Resources;
import orrery.gateway.api.TableSettings;
import orrery.model.Bytes;
import orrery.model.RequestContext;
import orrery.model.metering.RequestCharge;
import orrery.model.security.RequestSigner;

/** Access policies of a table, and properties and statistics of the service. All of it is XML. */
final class SettingsRoutes {
    private static final String XML = "application/xml";
    private static final String SECONDARY = "-secondary";

    private final Resources resources;
    private final TableConfig config;

    SettingsRoutes(Resources resources, TableConfig config) {
        this.resources = resources;
        this.config = config;
    }

    HttpReply policies(TableRequest request, RequestContext context, String table) {
        ContainerRef.Resolved found =
                resources.resolve(context, TableRoutes.container(table), ContainerRef.Role.OWNER);
        TableRoutes.requireTable(found.container());
        return switch (request.method()) {
            case "GET" -> xml(request, PoliciesXml.write(settings().readPolicies(context, found)));
            case "PUT" -> {
                settings().setPolicies(context, found, PoliciesXml.read(request.body()));
                yield done(request, 204);
            }
            default -> throw request.methodNotAllowed();
        };
    }

    HttpReply service(TableRequest request, RequestContext context) {
        return switch (request.options().find("comp").orElse("")) {
            case "properties" -> properties(request, context);
            case "stats" -> statistics(request, context);
            default ->
                    throw TableException.of(
                            TableErrorCode.INVALID_QUERY_PARAMETER,
                            "The service has restype=service with comp=properties or comp=stats.");
        };
    }

    private HttpReply properties(TableRequest request, RequestContext context) {
        return switch (request.method()) {
            case "GET" -> xml(request, ServiceXml.write(settings().readService(context)));
            case "PUT" -> {
                // Whoever may only write does not learn what was there.
                settings()
                        .changeService(context, before -> ServiceXml.read(request.body(), before));
                yield done(request, 202);
            }
            default -> throw request.methodNotAllowed();
        };
    }

    /** Only a secondary endpoint tells them. There is one region, so that it is never behind. */
    private HttpReply statistics(TableRequest request, RequestContext context) {
        if (!request.method().equals("GET")) {
            throw request.methodNotAllowed();
        }
        // Whoever may read the properties may read this.
        settings().readService(context);
        if (!isSecondary(request)) {
            throw TableException.of(
                    TableErrorCode.INVALID_QUERY_PARAMETER,
                    "Statistics are read from the secondary endpoint.");
        }
        return xml(
                request,
                Bytes.ofUtf8(
                        XmlText.HEAD
                                + "<StorageServiceStats><GeoReplication><Status>live</Status>"
                                + XmlText.element(
                                        "LastSyncTime",
                                        RequestSigner.date(config.clock().instant()))
                                + "</GeoReplication></StorageServiceStats>"));
    }

    private static boolean isSecondary(TableRequest request) {
        return request.path().account().filter(name -> name.endsWith(SECONDARY)).isPresent()
                || request.http().authority().split("[.:]", 2)[0].endsWith(SECONDARY);
    }

    private TableSettings settings() {
        return resources.tableSettings();
    }

    private static HttpReply xml(TableRequest request, Bytes body) {
        return new TableReply(request, 200).charge(RequestCharge.METADATA).body(XML, body).build();
    }

    private static HttpReply done(TableRequest request, int status) {
        return new TableReply(request, status).charge(RequestCharge.METADATA).build();
    }
}
