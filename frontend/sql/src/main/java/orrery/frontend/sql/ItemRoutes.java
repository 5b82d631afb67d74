package orrery.frontend.sql;

import java.util.Locale;
import java.util.Optional;
import orrery.frontend.http.HttpReply;
import orrery.frontend.sql.Addresses.ContainerAddress;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemPage;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.Items;
import orrery.gateway.api.KeyDeleteAnswer;
import orrery.gateway.api.TriggerNames;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.RequestContext;

/** {@code …/docs} and {@code …/docs/{id}}. */
final class ItemRoutes {
    private final Items items;
    private final ItemQueries queries;
    private final BatchRoutes batches;
    private final ChangeFeed changes;

    ItemRoutes(Items items) {
        this.items = items;
        this.queries = new ItemQueries(items);
        this.batches = new BatchRoutes(items);
        this.changes = new ChangeFeed(items);
    }

    HttpReply feed(SqlRequest request, RequestContext context, ContainerAddress address) {
        return switch (request.method()) {
            case "GET" -> list(request, context, address);
            case "POST" -> post(request, context, address);
            default -> throw SqlEndpoint.methodNotAllowed(request);
        };
    }

    /** A post creates an item unless a header says what else it is. */
    private HttpReply post(SqlRequest request, RequestContext context, ContainerAddress address) {
        if (request.flag(SqlHeaders.BATCH_REQUEST)
                && !request.isQueryPlan()
                && !request.isQuery()) {
            return batches.run(request, context, address);
        }
        if (request.isQuery() && !request.isQueryPlan()) {
            return queries.run(request, context, address);
        }
        address.checkRange();
        if (request.isQueryPlan()) {
            return ItemQueries.plan(request, address);
        }
        return create(request, context, address);
    }

    HttpReply entity(
            SqlRequest request, RequestContext context, ContainerAddress address, String id) {
        address.checkRange();
        return switch (request.method()) {
            case "GET" -> read(request, context, address, id);
            case "PUT" -> replace(request, context, address, id);
            case "PATCH" -> patch(request, context, address, id);
            case "DELETE" -> delete(request, context, address, id);
            default -> throw SqlEndpoint.methodNotAllowed(request);
        };
    }

    /** All items of a key. SDKs look at nothing but the status. */
    HttpReply deleteKey(SqlRequest request, RequestContext context, ContainerAddress address) {
        if (!request.method().equals("POST")) {
            throw SqlEndpoint.methodNotAllowed(request);
        }
        address.checkRange();
        PartitionKey key =
                request.partitionKey()
                        .orElseThrow(
                                () ->
                                        new OrreryException(
                                                ErrorCode.BAD_REQUEST,
                                                "PartitionKey value must be supplied for this"
                                                        + " operation. Send it in"
                                                        + " x-ms-documentdb-partitionkey."));
        KeyDeleteAnswer answer = items.deleteItems(context, address.ref(), key);
        Owner owner = address.owner();
        SqlReply reply =
                new SqlReply(request, 200).charge(answer.charge()).owner(owner.rid(), owner.path());
        // SDKs cannot read a token of several ranges here.
        return answer.sessionToken().lsnByRange().size() == 1
                ? reply.sessionToken(answer.sessionToken()).build()
                : reply.build();
    }

    private HttpReply list(SqlRequest request, RequestContext context, ContainerAddress address) {
        address.checkRange();
        if (request.has(SqlHeaders.A_IM)) {
            return changes.read(request, context, address);
        }
        ItemPage page = items.readItems(context, address.ref(), request.scope(), request.page());
        return ItemReply.page(request, address, page, page.items());
    }

    private HttpReply create(SqlRequest request, RequestContext context, ContainerAddress address) {
        refuseWhatIsNotBuilt(request);
        Optional<PartitionKey> key = request.partitionKey();
        return write(
                request,
                context,
                address,
                request.flag(SqlHeaders.IS_UPSERT)
                        ? new ItemWrite.Upsert(request.body(), key, request.ifMatch())
                        : new ItemWrite.Create(request.body(), key));
    }

    private HttpReply read(
            SqlRequest request, RequestContext context, ContainerAddress address, String id) {
        ItemAnswer answer =
                items.readItem(
                        context, address.ref(), requireKey(request, address), address.item(id));
        return ItemReply.read(request, address, answer);
    }

    private HttpReply replace(
            SqlRequest request, RequestContext context, ContainerAddress address, String id) {
        refuseWhatIsNotBuilt(request);
        return write(
                request,
                context,
                address,
                new ItemWrite.Replace(
                        address.item(id),
                        request.partitionKey(),
                        request.body(),
                        request.ifMatch()));
    }

    private HttpReply patch(
            SqlRequest request, RequestContext context, ContainerAddress address, String id) {
        refuseWhatIsNotBuilt(request);
        return write(
                request,
                context,
                address,
                new ItemWrite.Evaluate(
                        address.item(id),
                        requireKey(request, address),
                        PatchJson.parse(request.body(), address.container().number()),
                        request.ifMatch()));
    }

    private HttpReply delete(
            SqlRequest request, RequestContext context, ContainerAddress address, String id) {
        refuseWhatIsNotBuilt(request);
        return write(
                request,
                context,
                address,
                new ItemWrite.Delete(
                        address.item(id), requireKey(request, address), request.ifMatch()));
    }

    private HttpReply write(
            SqlRequest request, RequestContext context, ContainerAddress address, ItemWrite write) {
        TriggerNames triggers = request.triggers();
        return triggers.isEmpty()
                ? ItemReply.written(
                        request, address, items.writeItem(context, address.ref(), write))
                : ItemReply.triggered(
                        request, address, items.writeItem(context, address.ref(), write, triggers));
    }

    /** Only a container whose items need no partition key can do without one in the request. */
    static PartitionKey requireKey(SqlRequest request, ContainerAddress address) {
        Optional<PartitionKey> key = request.partitionKey();
        if (key.isPresent()) {
            return key.get();
        }
        PartitionKeyDefinition definition = address.container().definition().partitionKey();
        if (definition.paths().isEmpty() || definition.systemKey()) {
            return PartitionKey.EMPTY;
        }
        throw new OrreryException(
                ErrorCode.BAD_REQUEST,
                "PartitionKey value must be supplied for this operation. Send it in"
                        + " x-ms-documentdb-partitionkey.");
    }

    /** Headers that change what a write does; to pass over them would be to do something else. */
    static void refuseWhatIsNotBuilt(SqlRequest request) {
        String directive =
                request.find(SqlHeaders.INDEXING_DIRECTIVE).orElse("").toLowerCase(Locale.ROOT);
        switch (directive) {
            case "", "default" -> {}
            case "include", "exclude" ->
                    throw SqlEndpoint.notBuilt("the indexing directive of a single write");
            default ->
                    throw new OrreryException(
                            ErrorCode.BAD_REQUEST,
                            "x-ms-indexing-directive must be Default, Include or Exclude.");
        }
    }
}
