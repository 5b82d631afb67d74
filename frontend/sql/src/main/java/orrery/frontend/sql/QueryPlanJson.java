package orrery.frontend.sql;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import orrery.document.Value;
import orrery.frontend.rest.Json;
import orrery.frontend.sql.plan.QueryPlan;
import orrery.model.EffectiveKey;
import orrery.model.KeyRange;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.query.plan.KeySpan;
import orrery.query.syntax.BuiltIn;

/** Query plans as SDKs read them. Every array must be there, even when empty. */
final class QueryPlanJson {
    private QueryPlanJson() {}

    /**
     * @param named the key of the request's header, which goes before what the filter says
     */
    static Value.Obj of(
            QueryPlan plan, Optional<PartitionKey> named, PartitionKeyDefinition definition) {
        return Json.builder()
                .put("partitionedQueryExecutionInfoVersion", 2)
                .put(
                        "queryInfo",
                        Json.builder()
                                .put("distinctType", distinct(plan.distinct()))
                                .put("top", number(plan.top()))
                                .put("offset", number(plan.offset()))
                                .put("limit", number(plan.limit()))
                                .put("orderBy", directions(plan.orderBy()))
                                .put("orderByExpressions", expressions(plan.orderBy()))
                                .put("groupByExpressions", Json.texts(plan.groupBy()))
                                .put("groupByAliases", Json.texts(plan.groupAliases()))
                                .put(
                                        "aggregates",
                                        Json.texts(
                                                plan.aggregates().stream()
                                                        .map(QueryPlanJson::aggregate)
                                                        .toList()))
                                .put("groupByAliasToAggregateType", aggregates(plan.aggregateOf()))
                                .put("rewrittenQuery", plan.rewritten())
                                .put("hasSelectValue", plan.isBare())
                                .put(
                                        "dCountInfo",
                                        plan.distinctCount()
                                                .<Value>map(
                                                        alias ->
                                                                Json.object(
                                                                        "dCountAlias",
                                                                        Value.of(alias)))
                                                .orElse(Value.Null.NULL))
                                .put("hasNonStreamingOrderBy", false)
                                .build())
                .put(
                        "queryRanges",
                        new Value.Array(ranges(named.map(List::of).or(plan::keys), definition)))
                .put("hybridSearchQueryInfo", Value.Null.NULL)
                .build();
    }

    private static String distinct(QueryPlan.Distinct distinct) {
        return switch (distinct) {
            case NONE -> "None";
            case ORDERED -> "Ordered";
            case UNORDERED -> "Unordered";
        };
    }

    private static Value number(OptionalLong number) {
        return number.isPresent() ? Value.of(number.getAsLong()) : Value.Null.NULL;
    }

    private static Value directions(List<QueryPlan.Sort> orderBy) {
        return Json.texts(
                orderBy.stream()
                        .map(sort -> sort.descending() ? "Descending" : "Ascending")
                        .toList());
    }

    private static Value expressions(List<QueryPlan.Sort> orderBy) {
        return Json.texts(orderBy.stream().map(QueryPlan.Sort::expression).toList());
    }

    private static Value aggregates(Map<String, Optional<BuiltIn>> aggregateOf) {
        Json.Builder json = Json.builder();
        aggregateOf.forEach(
                (alias, function) ->
                        json.put(
                                alias,
                                function.map(QueryPlanJson::aggregate)
                                        .map(Value::of)
                                        .orElse(Value.Null.NULL)));
        return json.build();
    }

    private static String aggregate(BuiltIn function) {
        return switch (function) {
            case AVG -> "Average";
            case COUNTIF -> "CountIf";
            case MAKELIST -> "MakeList";
            case MAKESET -> "MakeSet";
            default ->
                    function.name().charAt(0)
                            + function.name().substring(1).toLowerCase(Locale.ROOT);
        };
    }

    /** In the order of the hash space, each once. */
    private static List<Value> ranges(
            Optional<List<PartitionKey>> keys, PartitionKeyDefinition definition) {
        if (keys.isEmpty() || definition.paths().isEmpty()) {
            return List.of(range(KeyRange.FULL));
        }
        if (keys.get().isEmpty()) {
            // Clients visit the first range then, so that an aggregate has its one row.
            return List.of(range(EffectiveKey.MIN, EffectiveKey.MIN, true));
        }
        return KeySpan.all(definition, keys.get()).stream()
                .map(
                        span ->
                                span.isPoint()
                                        ? range(span.range().min(), span.range().min(), true)
                                        : range(span.range()))
                .toList();
    }

    private static Value range(KeyRange range) {
        return range(range.min(), range.max(), false);
    }

    private static Value range(EffectiveKey min, EffectiveKey max, boolean isPoint) {
        return Json.builder()
                .put("min", min.toHex())
                .put("max", max.toHex())
                .put("isMinInclusive", true)
                .put("isMaxInclusive", isPoint)
                .build();
    }
}
