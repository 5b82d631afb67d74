package orrery.frontend.sql.plan;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import orrery.model.PartitionKey;
import orrery.query.syntax.BuiltIn;

/**
 * The question for each range, and the way to merge the answers.
 *
 * @param keys the partition keys, or prefixes of them, that the query can find anything in: empty
 *     if all, an empty list if none
 * @param rewritten the text for each range, with {@link #FILTER} in it when the query is ordered;
 *     empty if the query itself is right
 * @param aggregates the one of {@code SELECT VALUE}
 * @param groupAliases the names of the results' properties, where they are grouped or aggregated
 * @param aggregateOf for each of those names its aggregate, or none for the key of a group
 * @param distinctCount the property that is to hold how many distinct rows there are; its name is
 *     empty where the count is the result itself
 */
public record QueryPlan(
        Optional<List<PartitionKey>> keys,
        Distinct distinct,
        OptionalLong top,
        OptionalLong offset,
        OptionalLong limit,
        List<Sort> orderBy,
        List<String> groupBy,
        List<String> groupAliases,
        List<BuiltIn> aggregates,
        Map<String, Optional<BuiltIn>> aggregateOf,
        String rewritten,
        boolean isBare,
        Optional<String> distinctCount) {
    /** Stands in an ordered query where the filter goes with which a client resumes it. */
    public static final String FILTER = "{documentdb-formattableorderbyquery-filter}";

    /** Says if equal rows must be dropped, and if they come one after the other. */
    public enum Distinct {
        NONE,
        ORDERED,
        UNORDERED
    }

    /**
     * @param expression as text, for the filters with which clients resume
     */
    public record Sort(String expression, boolean descending) {}

    public QueryPlan {
        keys = keys.map(List::copyOf);
        orderBy = List.copyOf(orderBy);
        groupBy = List.copyOf(groupBy);
        groupAliases = List.copyOf(groupAliases);
        aggregates = List.copyOf(aggregates);
        aggregateOf = Collections.unmodifiableMap(new LinkedHashMap<>(aggregateOf));
    }

    /** Returns true if the rows of the ranges, one range after the other, are the answer. */
    public boolean isConcatenation() {
        return distinct == Distinct.NONE
                && top.isEmpty()
                && offset.isEmpty()
                && limit.isEmpty()
                && orderBy.isEmpty()
                && groupBy.isEmpty()
                && aggregateOf.isEmpty()
                && aggregates.isEmpty()
                && distinctCount.isEmpty();
    }
}
