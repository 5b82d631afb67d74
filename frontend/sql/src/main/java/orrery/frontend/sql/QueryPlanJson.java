package orrery.frontend.sql;

import java.util.List;
import java.util.Optional;
import orrery.document.Value;
import orrery.model.EffectiveKeys;
import orrery.model.KeyRange;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;

/** Query plans as SDKs read them. Every array must be there, even when empty. */
final class QueryPlanJson {
    private QueryPlanJson() {}

    /** Nothing to merge, nothing to rewrite. */
    static Value.Obj scan(Optional<PartitionKey> key, PartitionKeyDefinition definition) {
        return Json.builder()
                .put("partitionedQueryExecutionInfoVersion", 2)
                .put(
                        "queryInfo",
                        Json.builder()
                                .put("distinctType", "None")
                                .put("top", Value.Null.NULL)
                                .put("offset", Value.Null.NULL)
                                .put("limit", Value.Null.NULL)
                                .put("orderBy", Json.EMPTY_ARRAY)
                                .put("orderByExpressions", Json.EMPTY_ARRAY)
                                .put("groupByExpressions", Json.EMPTY_ARRAY)
                                .put("groupByAliases", Json.EMPTY_ARRAY)
                                .put("aggregates", Json.EMPTY_ARRAY)
                                .put("groupByAliasToAggregateType", Json.EMPTY_OBJECT)
                                .put("rewrittenQuery", "")
                                .put("hasSelectValue", false)
                                .put("dCountInfo", Value.Null.NULL)
                                .put("hasNonStreamingOrderBy", false)
                                .build())
                .put("queryRanges", new Value.Array(List.of(range(key, definition))))
                .put("hybridSearchQueryInfo", Value.Null.NULL)
                .build();
    }

    private static Value range(Optional<PartitionKey> key, PartitionKeyDefinition definition) {
        if (key.isEmpty() || key.get().components().isEmpty() || definition.paths().isEmpty()) {
            return range(KeyRange.FULL.min().toHex(), KeyRange.FULL.max().toHex(), false);
        }
        if (key.get().components().size() < definition.paths().size()) {
            KeyRange prefix = EffectiveKeys.prefixRange(definition, key.get());
            return range(prefix.min().toHex(), prefix.max().toHex(), false);
        }
        String point = EffectiveKeys.of(definition, key.get()).toHex();
        return range(point, point, true);
    }

    private static Value range(String min, String max, boolean isPoint) {
        return Json.builder()
                .put("min", min)
                .put("max", max)
                .put("isMinInclusive", true)
                .put("isMaxInclusive", isPoint)
                .build();
    }
}
