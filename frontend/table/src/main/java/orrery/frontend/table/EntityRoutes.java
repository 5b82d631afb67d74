package orrery.frontend.table;

import orrery.frontend.http.HttpReply;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemRef;
import orrery.gateway.api.Items;
import orrery.gateway.api.Resources;
import orrery.model.ContainerKind;
import orrery.model.Item;
import orrery.model.PartitionKey;
import orrery.model.RequestContext;

/** {@code T} and {@code T(PartitionKey='..',RowKey='..')}. */
final class EntityRoutes {
    private final Items items;
    private final Resources resources;
    private final TableConfig config;
    private final EntityQueries queries;

    EntityRoutes(Items items, Resources resources, TableConfig config) {
        this.items = items;
        this.resources = resources;
        this.config = config;
        this.queries = new EntityQueries(items);
    }

    HttpReply feed(TableRequest request, RequestContext context, String table) {
        return switch (request.method()) {
            case "GET" -> {
                EntityQueries.Wanted wanted = queries.wanted(request);
                ContainerRef.Resolved found = resolve(context, table);
                yield queries.run(request, context, found, request.account(config), wanted);
            }
            case "POST" -> write(request, context, table);
            default -> throw request.methodNotAllowed();
        };
    }

    HttpReply entity(TableRequest request, RequestContext context, TablePath.Entity target) {
        return request.method().equals("GET")
                ? read(request, context, target)
                : write(request, context, target.table());
    }

    /** Finds the container of a table once; all that follows is about this one. */
    ContainerRef.Resolved resolve(RequestContext context, String table) {
        ContainerRef.Resolved found =
                resources.resolve(context, TableRoutes.container(table), ContainerRef.Role.OWNER);
        if (found.container().definition().kind() != ContainerKind.TABLE) {
            throw new TableException(TableErrorCode.TABLE_NOT_FOUND);
        }
        return found;
    }

    private HttpReply write(TableRequest request, RequestContext context, String table) {
        EntityOperation operation = EntityOperations.of(request);
        if (operation instanceof EntityOperation.Insert
                && Preference.of(request) == Preference.CONTENT) {
            // Refused now: later the entity would be there.
            request.level();
        }
        ItemAnswer answer = items.writeItem(context, resolve(context, table), operation.write());
        return EntityReply.written(
                request,
                request.account(config),
                operation,
                answer.item().map(Item::etag),
                answer.charge());
    }

    private HttpReply read(TableRequest request, RequestContext context, TablePath.Entity target) {
        request.allowOptions("$select", "$format");
        MetadataLevel level = request.level();
        EntityRules.checkKeys(target.partitionKey(), target.rowKey());
        EntityJson json =
                EntityJson.of(
                        request,
                        level,
                        request.account(config),
                        target.table(),
                        EntityQueries.select(request));
        ItemAnswer answer =
                items.readItem(
                        context,
                        resolve(context, target.table()),
                        PartitionKey.ofText(target.partitionKey()),
                        new ItemRef.Named(target.rowKey()));
        Item item = answer.item().orElseThrow();
        var time = EntityReply.time(item.etag());
        return new TableReply(request, 200)
                .charge(answer.charge())
                .header("ETag", TableTime.etag(time))
                .json(level, EntityReply.element(json, item.body(), time))
                .build();
    }
}
