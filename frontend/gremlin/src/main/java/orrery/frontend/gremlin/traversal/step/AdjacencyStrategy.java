package orrery.frontend.gremlin.traversal.step;

import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.RangeGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.EdgeVertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.NoOpBarrierStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;
import orrery.frontend.gremlin.traversal.graph.ContainerGraph;

/** Has steps from vertex to vertex follow the edges of many at once. */
final class AdjacencyStrategy extends ContainerStrategy {
    static final AdjacencyStrategy INSTANCE = new AdjacencyStrategy();
    private static final long serialVersionUID = 1;

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"})
    void apply(Traversal.Admin<?, ?> traversal, ContainerGraph graph) {
        for (Step<?, ?> step : List.copyOf(traversal.getSteps())) {
            if (step instanceof NoOpBarrierStep<?>
                    && step.getNextStep() instanceof RangeGlobalStep<?>) {
                // It would fetch some thousands where a few are wanted.
                TraversalHelper.copyLabels(step, step.getPreviousStep(), false);
                traversal.removeStep(step);
            }
        }
        for (Step<?, ?> step : List.copyOf(traversal.getSteps())) {
            if (step instanceof VertexStep<?> from) {
                AdjacentStep to =
                        new AdjacentStep(
                                from,
                                from.returnsEdge() ? conditionsBehind(from) : List.of(),
                                from.returnsEdge() ? List.of() : conditionsOnNames(from, graph),
                                from.returnsVertex() && !NamesOnly.isEnough(from, graph),
                                wantedBy(from.getNextStep()));
                TraversalHelper.replaceStep((Step) from, (Step) to, traversal);
            } else if (step instanceof EdgeVertexStep from) {
                TraversalHelper.replaceStep(
                        from,
                        new EndsStep(
                                traversal,
                                from.getDirection(),
                                !NamesOnly.isEnough(from, graph),
                                from.getLabels()),
                        traversal);
            }
        }
    }

    private static List<HasContainer> conditionsOnNames(Step<?, ?> step, ContainerGraph graph) {
        return conditionsBehind(step).stream()
                .filter(condition -> graph.isOfName(condition.getKey()))
                .toList();
    }
}
