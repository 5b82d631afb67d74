package orrery.partition.machine;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import orrery.document.IndexPlan;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerDefinition.ComputedProperty;
import orrery.model.ContainerKind;
import orrery.model.IndexingPolicy;
import orrery.model.NamedIndex;
import orrery.model.TermRules;
import orrery.storage.format.DefinitionRecord;

/**
 * Compiles each policy once, with the computed properties it may name, however many partitions
 * share it. The queries of computed properties are not compiled: applying never evaluates them.
 * Bounded: it starts anew when full.
 */
final class PlanCache {
    private static final int MAX_PLANS = 1024;

    private final Map<Source, IndexPlan> plans = new HashMap<>();

    private record Source(
            IndexingPolicy policy,
            List<ComputedProperty> computed,
            ContainerKind kind,
            TermRules rules,
            List<NamedIndex> constraints) {}

    /** Throws BAD_REQUEST for what cannot be compiled. */
    IndexPlan get(DefinitionRecord.Version version) {
        ContainerDefinition definition = version.definition();
        if (plans.size() >= MAX_PLANS) {
            plans.clear();
        }
        return plans.computeIfAbsent(
                new Source(
                        definition.indexingPolicy(),
                        definition.computedProperties(),
                        definition.kind(),
                        version.terms(),
                        definition.constraints()),
                source ->
                        IndexPlan.compile(
                                        source.policy(),
                                        source.computed(),
                                        source.kind(),
                                        source.rules())
                                .withUniques(source.constraints()));
    }
}
