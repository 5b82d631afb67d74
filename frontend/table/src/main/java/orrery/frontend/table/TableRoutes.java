package orrery.frontend.table;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import orrery.document.ByteSink;
import orrery.frontend.http.HttpReply;
import orrery.frontend.rest.BodyReader;
import orrery.frontend.rest.ThroughputHeaders;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ResourceRef;
import orrery.gateway.api.Resources;
import orrery.model.ContainerKind;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.Precondition;
import orrery.model.RequestContext;
import orrery.model.SizeLimits;
import orrery.model.Throughput;
import orrery.model.metering.RequestCharge;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.query.table.TableDefinition;
import orrery.query.table.TableFilter;

/** {@code Tables} and {@code Tables('T')}. A table is a container of one database. */
final class TableRoutes {
    private static final String NEXT_TABLE = "NextTableName";
    private static final int MAX_PAGE = SizeLimits.MAX_PAGE_ROWS;
    private static final int MIN_NAME = 3;
    private static final int MAX_NAME = 63;
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9]*");

    private final Resources resources;
    private final TableConfig config;

    TableRoutes(Resources resources, TableConfig config) {
        this.resources = resources;
        this.config = config;
    }

    /** The container that holds the entities of a table. */
    static ContainerRef.Addressed container(String table) {
        return ContainerRef.Addressed.byName(TableDefinition.DATABASE, table);
    }

    HttpReply feed(TableRequest request, RequestContext context) {
        return switch (request.method()) {
            case "GET" -> list(request, context);
            case "POST" -> create(request, context);
            default -> throw request.methodNotAllowed();
        };
    }

    HttpReply table(TableRequest request, RequestContext context, String name) {
        return switch (request.method()) {
            case "GET" -> read(request, context, name);
            case "DELETE" -> delete(request, context, name);
            default -> throw request.methodNotAllowed();
        };
    }

    private HttpReply create(TableRequest request, RequestContext context) {
        EntityOperations.checkContentType(request);
        Preference preference = Preference.of(request);
        // A request that cannot be answered is refused before anything is created.
        Optional<TableJson> json =
                preference == Preference.CONTENT
                        ? Optional.of(TableJson.of(request, request.account(config)))
                        : Optional.empty();
        String name = name(request);
        Throughput throughput =
                ThroughputHeaders.parse(request.http().headers())
                        .orElseGet(config.defaultThroughput());
        resources.createContainer(
                context, database(context), name, TableDefinition.DEFAULT, Optional.of(throughput));
        String link = request.base() + "/" + EntityLink.ofTable(name);
        TableReply reply =
                new TableReply(request, preference.status())
                        .charge(RequestCharge.METADATA)
                        .header("Location", link)
                        .header("Preference-Applied", preference.text());
        if (json.isEmpty()) {
            return reply.header("DataServiceId", link).build();
        }
        ByteSink out = new ByteSink();
        json.get().element(out, name);
        return reply.json(json.get().level(), out.toBytes()).build();
    }

    /** The name in the body of a request to create a table. */
    private static String name(TableRequest request) {
        BodyReader body = BodyReader.of(request.body());
        body.ignore("odata.metadata", "odata.type", "odata.id", "odata.editLink", "odata.etag");
        String name =
                body.text("TableName")
                        .orElseThrow(
                                () -> new TableException(TableErrorCode.PROPERTIES_NEED_VALUE));
        body.finish();
        if (name.length() < MIN_NAME || name.length() > MAX_NAME) {
            throw new TableException(
                    TableErrorCode.OUT_OF_RANGE_INPUT,
                    "The specified resource name length is not within the permissible limits.");
        }
        if (!NAME.matcher(name).matches() || name.equalsIgnoreCase("tables")) {
            throw new TableException(TableErrorCode.INVALID_RESOURCE_NAME);
        }
        return name;
    }

    /** The database of all tables comes with the first one. */
    private Database database(RequestContext context) {
        ResourceRef name = new ResourceRef.Named(TableDefinition.DATABASE);
        Optional<Database> present = findDatabase(context);
        if (present.isPresent()) {
            return present.get();
        }
        try {
            return resources.createDatabase(context, TableDefinition.DATABASE, Optional.empty());
        } catch (OrreryException lost) {
            if (lost.code() != ErrorCode.DATABASE_EXISTS) {
                throw lost;
            }
            return resources.resolve(context, name);
        }
    }

    private Optional<Database> findDatabase(RequestContext context) {
        try {
            return Optional.of(
                    resources.resolve(context, new ResourceRef.Named(TableDefinition.DATABASE)));
        } catch (OrreryException missing) {
            if (missing.code() != ErrorCode.OWNER_NOT_FOUND) {
                throw missing;
            }
            return Optional.empty();
        }
    }

    private HttpReply read(TableRequest request, RequestContext context, String name) {
        request.allowOptions("$select", "$format");
        TableJson json = TableJson.of(request, request.account(config));
        requireTable(resources.readContainer(context, container(name)));
        ByteSink out = new ByteSink();
        json.element(out, name);
        return new TableReply(request, 200)
                .charge(RequestCharge.METADATA)
                .json(json.level(), out.toBytes())
                .build();
    }

    private HttpReply delete(TableRequest request, RequestContext context, String name) {
        ContainerRef.Resolved found =
                resources.resolve(context, container(name), ContainerRef.Role.SUBJECT);
        requireTable(found.container());
        resources.deleteContainer(context, found, Precondition.NONE);
        return new TableReply(request, 204).charge(RequestCharge.METADATA).build();
    }

    static void requireTable(Container container) {
        if (!isTable(container)) {
            throw new TableException(TableErrorCode.RESOURCE_NOT_FOUND);
        }
    }

    private static boolean isTable(Container container) {
        return container.definition().kind() == ContainerKind.TABLE;
    }

    private HttpReply list(TableRequest request, RequestContext context) {
        TableJson json = TableJson.of(request, request.account(config));
        request.allowOptions("$filter", "$select", "$top", "$format");
        TableNameFilter filter =
                new TableNameFilter(
                        request.options()
                                .find("$filter")
                                .map(FilterParser::parse)
                                .orElse(new TableFilter.Constant(true)));
        String first = first(request);
        int size = Math.min(request.top().orElse(MAX_PAGE), MAX_PAGE);
        List<String> names = names(context, first, size + 1, filter);
        TableReply reply = new TableReply(request, 200).charge(RequestCharge.METADATA);
        if (names.size() > size && size > 0) {
            reply.header("x-ms-continuation-" + NEXT_TABLE, encoded(names.getLast()));
        }
        return reply.json(
                        json.level(),
                        json.envelope()
                                .around(
                                        names.subList(0, Math.min(size, names.size())),
                                        String::length,
                                        json::row))
                .build();
    }

    /** The names of some tables that a filter lets through. They are read in pieces. */
    private List<String> names(
            RequestContext context, String first, int wanted, TableNameFilter filter) {
        List<String> names = new ArrayList<>();
        String from = first;
        while (true) {
            List<String> piece = resources.tableSettings().listTables(context, from, MAX_PAGE);
            for (String name : piece) {
                if (names.size() < wanted && filter.matches(name)) {
                    names.add(name);
                }
            }
            if (names.size() == wanted || piece.size() < MAX_PAGE) {
                return names;
            }
            // The least text that comes after this one.
            from = piece.getLast() + "\0";
        }
    }

    private static String encoded(String name) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(name.getBytes(StandardCharsets.UTF_8));
    }

    /** The name with which a page begins, as {@link #encoded} wrote it; the least for the first. */
    private static String first(TableRequest request) {
        return request.options().find(NEXT_TABLE).map(TableRoutes::decoded).orElse("");
    }

    private static String decoded(String text) {
        try {
            return new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notBase64) {
            throw TableException.of(
                    TableErrorCode.INVALID_INPUT, NEXT_TABLE + " is not one that we gave.");
        }
    }
}
