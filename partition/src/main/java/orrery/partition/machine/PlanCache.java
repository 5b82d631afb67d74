package orrery.partition.machine;

import java.util.HashMap;
import java.util.Map;
import orrery.document.IndexPlan;
import orrery.model.IndexingPolicy;

/**
 * Compiles each policy once, however many partitions share it. Bounded: it starts anew when full.
 */
final class PlanCache {
    private static final int MAX_PLANS = 1024;

    private final Map<IndexingPolicy, IndexPlan> plans = new HashMap<>();

    IndexPlan plan(IndexingPolicy policy) {
        if (plans.size() >= MAX_PLANS) {
            plans.clear();
        }
        return plans.computeIfAbsent(policy, IndexPlan::compile);
    }
}
