package orrery.gateway.api;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import orrery.model.metering.Charge;
import orrery.query.execute.AccessPlan;
import orrery.query.execute.QueryMetrics;

/**
 * The way in which a query is answered.
 *
 * @param plans of the physical partitions that are asked, by the numbers of their ranges
 * @param work that the query took in each, if it was run; a range that came by a split has no plan
 * @param rows of the whole answer, if the query was run
 * @param charge for what was done to find out
 */
public record QueryExplanation(
        SortedMap<Integer, AccessPlan> plans,
        SortedMap<Integer, QueryMetrics> work,
        long rows,
        Charge charge) {
    public QueryExplanation {
        plans = Collections.unmodifiableSortedMap(new TreeMap<>(plans));
        work = Collections.unmodifiableSortedMap(new TreeMap<>(work));
    }

    /** Returns the work in all partitions. */
    public QueryMetrics total() {
        return work.values().stream().reduce(QueryMetrics.NONE, QueryMetrics::plus);
    }
}
