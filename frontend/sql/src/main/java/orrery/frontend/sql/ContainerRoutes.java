package orrery.frontend.sql;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import orrery.document.Value;
import orrery.frontend.http.HttpReply;
import orrery.frontend.rest.ThroughputHeaders;
import orrery.frontend.sql.Addresses.ContainerAddress;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ContainerReport;
import orrery.gateway.api.ContainerUsage;
import orrery.gateway.api.Resources;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerKind;
import orrery.model.ErrorCode;
import orrery.model.IndexingPolicy;
import orrery.model.OrreryException;
import orrery.model.RequestContext;
import orrery.model.ResourceId;
import orrery.model.Throughput;
import orrery.model.metering.RequestCharge;
import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.query.table.TableDefinition;

/** {@code /dbs/{db}/colls} and {@code /dbs/{db}/colls/{coll}}. */
final class ContainerRoutes {
    private final Resources resources;
    private final Addresses addresses;

    ContainerRoutes(Resources resources, Addresses addresses) {
        this.resources = resources;
        this.addresses = addresses;
    }

    HttpReply feed(SqlRequest request, RequestContext context, SqlRoute.Containers route) {
        return switch (request.method()) {
            case "GET" ->
                    list(request, context, addresses.owner(context, route.database()).database());
            case "POST" ->
                    request.isQuery()
                            ? list(
                                    request,
                                    context,
                                    addresses.owner(context, route.database()).database())
                            : create(request, context, route.database());
            default -> throw SqlEndpoint.methodNotAllowed(request);
        };
    }

    HttpReply entity(SqlRequest request, RequestContext context, SqlRoute.Container route) {
        ContainerAddress address =
                addresses.container(
                        request,
                        context,
                        route.database(),
                        route.container(),
                        ContainerRef.Role.SUBJECT);
        return switch (request.method()) {
            case "GET" -> read(request, context, address);
            case "PUT" -> replace(request, context, address);
            case "DELETE" -> delete(request, context, address);
            default -> throw SqlEndpoint.methodNotAllowed(request);
        };
    }

    private HttpReply list(SqlRequest request, RequestContext context, Database database) {
        return new ResourceFeed<Container>(
                        "DocumentCollections", container -> json(request, container))
                .reply(
                        request,
                        database.rid().toString(),
                        page -> resources.listContainers(context, database, page));
    }

    private HttpReply create(SqlRequest request, RequestContext context, String owner) {
        SqlEndpoint.refuseUpsert(request, "Containers");
        ContainerJson.Described described = ContainerJson.parse(request.body());
        Optional<Throughput> throughput = ThroughputHeaders.parse(request.http().headers());
        ContainerJson.checkKey(described.definition(), request.allowsFixedContainers());
        Database database = addresses.owner(context, owner).database();
        ContainerDefinition definition = described.definition();
        boolean isTable =
                database.name().equals(TableDefinition.DATABASE)
                        && TableDefinition.isTable(definition.partitionKey());
        Container container =
                resources.createContainer(
                        context,
                        database,
                        described.id(),
                        isTable ? table(definition) : definition,
                        throughput);
        return reply(request, 201, container, database.name()).build();
    }

    /**
     * The container as a table: the old .NET SDK creates tables as containers. Queries of the Table
     * API need an index that it does not ask for.
     */
    private static ContainerDefinition table(ContainerDefinition wanted) {
        return wanted.withKind(ContainerKind.TABLE)
                .withIndexing(TableDefinition.withOrder(wanted.indexingPolicy()));
    }

    private HttpReply read(SqlRequest request, RequestContext context, ContainerAddress address) {
        Container container = resources.readContainer(context, address.ref());
        boolean wantsUsage = request.flag(SqlHeaders.POPULATE_QUOTA_INFO);
        boolean wantsStatistics = request.flag(SqlHeaders.POPULATE_PARTITION_STATISTICS);
        if (!wantsUsage && !wantsStatistics && request.alreadyHas(container.etag().quoted())) {
            return SqlReply.notModified(request, container.etag());
        }
        SqlReply reply = reply(request, 200, container, address.databaseName());
        if (wantsUsage) {
            usage(reply, container, resources.readUsage(context, address.ref()));
        }
        if (wantsStatistics) {
            reply.body(withStatistics(request, context, address, container));
        }
        return reply.build();
    }

    private Value.Obj withStatistics(
            SqlRequest request,
            RequestContext context,
            ContainerAddress address,
            Container container) {
        ContainerReport report =
                resources.inspect(context, address.ref(), PartitionStatisticsJson.KEYS);
        Map<String, Value> members = new LinkedHashMap<>(json(request, container).properties());
        members.put("statistics", PartitionStatisticsJson.write(report.partitions()));
        return new Value.Obj(members);
    }

    private HttpReply replace(
            SqlRequest request, RequestContext context, ContainerAddress address) {
        Container present = resources.readContainer(context, address.ref());
        ContainerJson.Described described =
                ContainerJson.parse(request.body(), present.definition());
        if (!described.id().equals(present.name())) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "The id of a container cannot be changed: it is '" + present.name() + "'.");
        }
        if (!described.definition().partitionKey().equals(present.definition().partitionKey())) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "Document collection partition key cannot be changed. Create a new container"
                            + " and copy the items.");
        }
        ContainerDefinition definition = described.definition();
        Container container =
                resources.replaceContainer(
                        context,
                        address.ref(),
                        definition.kind() == ContainerKind.TABLE ? table(definition) : definition,
                        request.ifMatch());
        return reply(request, 200, container, address.databaseName()).build();
    }

    private HttpReply delete(SqlRequest request, RequestContext context, ContainerAddress address) {
        resources.deleteContainer(context, address.ref(), request.ifMatch());
        return new SqlReply(request, 204).charge(RequestCharge.METADATA).build();
    }

    private static SqlReply reply(
            SqlRequest request, int status, Container container, String databaseName) {
        return new SqlReply(request, status)
                .charge(RequestCharge.METADATA)
                .etag(container.etag())
                .owner(ResourceId.ofDatabase(container.database()), "dbs/" + databaseName)
                .body(json(request, container));
    }

    private static Value.Obj json(SqlRequest request, Container container) {
        return ContainerJson.write(container, !request.allowsFixedContainers());
    }

    /** Sizes are in kilobytes, rounded up. */
    private static void usage(SqlReply reply, Container container, ContainerUsage usage) {
        long items = PartitionStatisticsJson.kilobytes(usage.itemBytes());
        long all = PartitionStatisticsJson.kilobytes(usage.itemBytes() + usage.indexBytes());
        long most = PartitionStatisticsJson.kilobytes(usage.maxBytes());
        reply.header(
                        SqlHeaders.RESOURCE_QUOTA,
                        "functions=50;storedProcedures=100;triggers=25;documentSize="
                                + most
                                + ";documentsSize="
                                + most
                                + ";documentsCount=-1;collectionSize="
                                + most
                                + ";")
                .header(
                        SqlHeaders.RESOURCE_USAGE,
                        "functions="
                                + usage.functions()
                                + ";storedProcedures="
                                + usage.procedures()
                                + ";triggers="
                                + usage.triggers()
                                + ";documentSize="
                                + items
                                + ";documentsSize="
                                + items
                                + ";documentsCount="
                                + usage.items()
                                + ";collectionSize="
                                + all
                                + ";")
                .header(
                        SqlHeaders.INDEX_PROGRESS,
                        Integer.toString(usage.indexingProgressPercent()));
        if (container.definition().indexingPolicy().mode() == IndexingPolicy.Mode.LAZY) {
            reply.header(
                    SqlHeaders.LAZY_INDEX_PROGRESS,
                    Integer.toString(usage.indexingProgressPercent()));
        }
    }
}
