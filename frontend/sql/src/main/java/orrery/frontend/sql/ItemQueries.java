package orrery.frontend.sql;

import java.util.List;
import java.util.Optional;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.frontend.http.HttpReply;
import orrery.frontend.sql.Addresses.ContainerAddress;
import orrery.gateway.Engine;
import orrery.gateway.FeedScope;
import orrery.gateway.ItemPage;
import orrery.model.Bytes;
import orrery.model.EffectiveKey;
import orrery.model.EffectiveKeys;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.KeyRange;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.RequestContext;
import orrery.model.metering.RequestCharge;
import orrery.model.resource.Container;
import orrery.query.QueryRequest;
import orrery.query.ScanQuery;

/**
 * Queries over items. Until the query engine lands these are the ones with which SDKs read all
 * items of a container or of one key; they are feeds in other words.
 */
final class ItemQueries {
    private final Engine engine;

    ItemQueries(Engine engine) {
        this.engine = engine;
    }

    HttpReply run(SqlRequest request, RequestContext context, ContainerAddress address) {
        Container container = engine.readOwner(context, address.ref());
        PartitionKeyDefinition definition = container.definition().partitionKey();
        ScanQuery scan = recognise(request, definition);
        requireTarget(request, scan, definition);
        Target target = target(request.scope(), scan.partitionKey(), definition);
        ItemPage page = engine.readItems(context, address.ref(), target.scope(), request.page());
        boolean isFiltered = target.holdsOthers() || scan.isFiltered();
        List<Item> items =
                isFiltered
                        ? page.items().stream().filter(item -> matches(scan, item)).toList()
                        : page.items();
        return ItemReply.page(request, address, page, items);
    }

    /** The plan of a scan: send the query as it is to every range, or to the one of its key. */
    HttpReply plan(SqlRequest request, RequestContext context, ContainerAddress address) {
        Container container = engine.readOwner(context, address.ref());
        PartitionKeyDefinition definition = container.definition().partitionKey();
        ScanQuery scan = recognise(request, definition);
        Optional<PartitionKey> key = scan.partitionKey().or(request::partitionKey);
        return new SqlReply(request, 200)
                .charge(RequestCharge.METADATA)
                .body(QueryPlanJson.scan(key, definition))
                .build();
    }

    private static ScanQuery recognise(SqlRequest request, PartitionKeyDefinition definition) {
        QueryRequest query = request.query();
        return ScanQuery.recognise(query.query(), query.parameters(), definition)
                .orElseThrow(
                        () ->
                                SqlEndpoint.notBuilt(
                                        "item queries, except for reading all items of a container"
                                                + " or of one partition key"));
    }

    private static void requireTarget(
            SqlRequest request, ScanQuery scan, PartitionKeyDefinition definition) {
        if (request.isTargeted()
                || request.flag(SqlHeaders.ENABLE_CROSS_PARTITION)
                || scan.partitionKey().isPresent()
                || definition.paths().isEmpty()) {
            return;
        }
        throw new OrreryException(
                ErrorCode.BAD_REQUEST,
                "Cross partition query is required but disabled. Please set"
                        + " x-ms-documentdb-query-enablecrosspartition to true, specify"
                        + " x-ms-documentdb-partitionkey, or revise your query to avoid this"
                        + " exception.");
    }

    /**
     * What to read for a query.
     *
     * @param holdsOthers whether it may also hold items that the query does not ask for
     */
    private record Target(FeedScope scope, boolean holdsOthers) {}

    /** Where the query names a key, reads no more than it needs of what the headers ask for. */
    private static Target target(
            FeedScope asked, Optional<PartitionKey> wanted, PartitionKeyDefinition definition) {
        if (wanted.isEmpty()) {
            return new Target(asked, false);
        }
        PartitionKey key = wanted.get();
        KeyRange place = place(definition, key);
        return switch (asked) {
            case FeedScope.Everything _ -> new Target(new FeedScope.Key(key), false);
            case FeedScope.Key _ -> new Target(asked, true);
            case FeedScope.Range(int range, Optional<KeyRange> clip) ->
                    new Target(
                            new FeedScope.Range(
                                    range,
                                    Optional.of(
                                            clip.map(keys -> narrowed(keys, place)).orElse(place))),
                            true);
            case FeedScope.Keys(KeyRange keys) ->
                    new Target(new FeedScope.Keys(narrowed(keys, place)), true);
        };
    }

    /** Where the key is elsewhere the scope stays, and the filter leaves nothing of it. */
    private static KeyRange narrowed(KeyRange scope, KeyRange place) {
        return scope.intersect(place).orElse(scope);
    }

    /** The part of the hash space that a key, or the prefix of one, can lie in. */
    static KeyRange place(PartitionKeyDefinition definition, PartitionKey key) {
        if (key.components().size() < definition.paths().size()) {
            return EffectiveKeys.prefixRange(definition, key);
        }
        EffectiveKey point = EffectiveKeys.of(definition, key);
        byte[] next = new byte[point.bytes().length() + 1];
        System.arraycopy(point.bytes().unsafeArray(), 0, next, 0, next.length - 1);
        return new KeyRange(point, new EffectiveKey(Bytes.wrap(next)));
    }

    private static boolean matches(ScanQuery scan, Item item) {
        return JsonText.parse(item.body()) instanceof Value.Obj object && scan.matches(object);
    }
}
