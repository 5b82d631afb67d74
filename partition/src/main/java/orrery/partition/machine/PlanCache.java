package orrery.partition.machine;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import orrery.document.IndexPlan;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerDefinition.ComputedProperty;
import orrery.model.IndexingPolicy;
import orrery.query.evaluate.ComputedProperties;

/**
 * Compiles each policy once, with the computed properties it may name, however many partitions
 * share it. Bounded: it starts anew when full.
 */
final class PlanCache {
    private static final int MAX_PLANS = 1024;

    private final Map<Source, Compiled> plans = new HashMap<>();

    private record Source(IndexingPolicy policy, List<ComputedProperty> computed) {}

    record Compiled(IndexPlan plan, ComputedProperties computed) {}

    /** Throws BAD_REQUEST for what cannot be compiled. */
    Compiled get(ContainerDefinition definition) {
        if (plans.size() >= MAX_PLANS) {
            plans.clear();
        }
        return plans.computeIfAbsent(
                new Source(definition.indexingPolicy(), definition.computedProperties()),
                PlanCache::compile);
    }

    private static Compiled compile(Source source) {
        ComputedProperties computed = ComputedProperties.of(source.computed());
        return new Compiled(IndexPlan.compile(source.policy(), computed.values()), computed);
    }
}
