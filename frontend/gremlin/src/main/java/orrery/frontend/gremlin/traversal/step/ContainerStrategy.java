package orrery.frontend.gremlin.traversal.step;

import java.util.ArrayList;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.HasStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.RangeGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.NoOpBarrierStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;
import orrery.frontend.gremlin.traversal.graph.ContainerGraph;

/** A strategy for traversals over a container. */
abstract class ContainerStrategy
        extends AbstractTraversalStrategy<TraversalStrategy.ProviderOptimizationStrategy>
        implements TraversalStrategy.ProviderOptimizationStrategy {
    private static final long serialVersionUID = 1;

    private static final int ASKED_IN_VAIN = 4;

    @Override
    public void apply(Traversal.Admin<?, ?> traversal) {
        if (traversal.getGraph().orElse(null) instanceof ContainerGraph graph) {
            apply(traversal, graph);
        }
    }

    abstract void apply(Traversal.Admin<?, ?> traversal, ContainerGraph graph);

    /**
     * Returns the conditions that the steps behind one have for all that comes out of it. The steps
     * stay: they check again what a query has let through.
     */
    static List<HasContainer> conditionsBehind(Step<?, ?> step) {
        List<HasContainer> conditions = new ArrayList<>();
        for (Step<?, ?> next = step.getNextStep();
                next instanceof HasStep<?> || next instanceof NoOpBarrierStep<?>;
                next = next.getNextStep()) {
            if (next instanceof HasStep<?> has) {
                conditions.addAll(has.getHasContainers());
            }
        }
        return conditions;
    }

    /** Returns how many a step takes at most: it asks for some more before it and others end. */
    static long wantedBy(Step<?, ?> step) {
        return step instanceof RangeGlobalStep<?> range && (long) range.getHighRange() >= 0
                ? (long) range.getHighRange() + ASKED_IN_VAIN
                : Long.MAX_VALUE;
    }

    /** Returns the first step behind one that does not only check conditions. */
    static Step<?, ?> behindConditions(Step<?, ?> step) {
        Step<?, ?> next = step.getNextStep();
        while (next instanceof HasStep<?> || next instanceof NoOpBarrierStep<?>) {
            next = next.getNextStep();
        }
        return next;
    }
}
