package orrery.frontend.sql;

import java.util.Locale;
import java.util.Optional;
import orrery.frontend.http.HttpReply;
import orrery.frontend.sql.Addresses.ContainerAddress;
import orrery.gateway.api.Engine;
import orrery.gateway.api.ItemAnswer;
import orrery.gateway.api.ItemPage;
import orrery.gateway.api.ItemWrite;
import orrery.gateway.api.KeyDeleteAnswer;
import orrery.gateway.api.TriggerNames;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.RequestContext;

/** {@code …/docs} and {@code …/docs/{id}}. */
final class ItemRoutes {
    private final Engine engine;
    private final Addresses addresses;
    private final ItemQueries queries;
    private final BatchRoutes batches;
    private final ChangeFeed changes;

    ItemRoutes(Engine engine, Addresses addresses) {
        this.engine = engine;
        this.addresses = addresses;
        this.queries = new ItemQueries(engine);
        this.batches = new BatchRoutes(engine);
        this.changes = new ChangeFeed(engine);
    }

    HttpReply feed(SqlRequest request, RequestContext context, SqlRoute.Items route) {
        ContainerAddress address =
                addresses.items(request, context, route.database(), route.container());
        return switch (request.method()) {
            case "GET" -> list(request, context, address);
            case "POST" -> post(request, context, address);
            default -> throw SqlEndpoint.methodNotAllowed(request);
        };
    }

    /** A post creates an item unless a header says what else it is. */
    private HttpReply post(SqlRequest request, RequestContext context, ContainerAddress address) {
        if (request.isQueryPlan()) {
            return queries.plan(request, context, address);
        }
        if (request.isQuery()) {
            return queries.run(request, context, address);
        }
        if (request.flag(SqlHeaders.BATCH_REQUEST)) {
            return batches.run(request, context, address);
        }
        return create(request, context, address);
    }

    HttpReply entity(SqlRequest request, RequestContext context, SqlRoute.Item route) {
        ContainerAddress address =
                addresses.items(request, context, route.database(), route.container());
        return switch (request.method()) {
            case "GET" -> read(request, context, address, route.item());
            case "PUT" -> replace(request, context, address, route.item());
            case "PATCH" -> patch(request, context, address, route.item());
            case "DELETE" -> delete(request, context, address, route.item());
            default -> throw SqlEndpoint.methodNotAllowed(request);
        };
    }

    /** All items of a key. SDKs look at nothing but the status. */
    HttpReply deleteKey(SqlRequest request, RequestContext context, SqlRoute.KeyDelete route) {
        if (!request.method().equals("POST")) {
            throw SqlEndpoint.methodNotAllowed(request);
        }
        ContainerAddress address =
                addresses.items(request, context, route.database(), route.container());
        PartitionKey key =
                request.partitionKey()
                        .orElseThrow(
                                () ->
                                        new OrreryException(
                                                ErrorCode.BAD_REQUEST,
                                                "PartitionKey value must be supplied for this"
                                                        + " operation. Send it in"
                                                        + " x-ms-documentdb-partitionkey."));
        KeyDeleteAnswer answer = engine.deleteItems(context, address.ref(), key);
        Owner owner = address.owner(answer.container());
        SqlReply reply =
                new SqlReply(request, 200).charge(answer.charge()).owner(owner.rid(), owner.path());
        // SDKs cannot read a token of several ranges here.
        return answer.sessionToken().lsnByRange().size() == 1
                ? reply.sessionToken(answer.sessionToken()).build()
                : reply.build();
    }

    private HttpReply list(SqlRequest request, RequestContext context, ContainerAddress address) {
        if (request.has(SqlHeaders.A_IM)) {
            return changes.read(request, context, address);
        }
        ItemPage page = engine.readItems(context, address.ref(), request.scope(), request.page());
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
                engine.readItem(
                        context,
                        address.ref(),
                        requireKey(request, context, address),
                        addresses.item(context, address, id));
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
                        addresses.item(context, address, id),
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
                new ItemWrite.Modify(
                        addresses.item(context, address, id),
                        requireKey(request, context, address),
                        request.body(),
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
                        addresses.item(context, address, id),
                        requireKey(request, context, address),
                        request.ifMatch()));
    }

    private HttpReply write(
            SqlRequest request, RequestContext context, ContainerAddress address, ItemWrite write) {
        TriggerNames triggers = request.triggers();
        return triggers.isEmpty()
                ? ItemReply.written(
                        request, address, engine.writeItem(context, address.ref(), write))
                : ItemReply.triggered(
                        request,
                        address,
                        engine.scripts().write(context, address.ref(), write, triggers));
    }

    /** Only a container whose items need no partition key can do without one in the request. */
    private PartitionKey requireKey(
            SqlRequest request, RequestContext context, ContainerAddress address) {
        return requireKey(engine, request, context, address);
    }

    static PartitionKey requireKey(
            Engine engine, SqlRequest request, RequestContext context, ContainerAddress address) {
        Optional<PartitionKey> key = request.partitionKey();
        if (key.isPresent()) {
            return key.get();
        }
        PartitionKeyDefinition definition =
                engine.readOwner(context, address.ref()).definition().partitionKey();
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
