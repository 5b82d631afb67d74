package orrery.frontend.gremlin.traversal.step;

import java.util.Arrays;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.lambda.LoopTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.branch.RepeatStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.DedupGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.HasStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.PathFilterStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.RangeGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.CountGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.IdStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.LabelStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.NoOpBarrierStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.PathStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.PropertiesStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.TreeStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStepContract;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.TreeSideEffectStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.EmptyStep;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;
import orrery.frontend.gremlin.traversal.graph.ContainerGraph;

/**
 * Tells where a traversal asks vertices for nothing but their names: ids, labels, partitions and
 * edges. An edge tells all this of its ends, so they need not be read.
 */
final class NamesOnly {
    private NamesOnly() {}

    /** Returns true if names are enough of the vertices that come out of a step. */
    static boolean isEnough(Step<?, ?> step, ContainerGraph graph) {
        return step.getLabels().isEmpty()
                && !showsPaths(TraversalHelper.getRootTraversal(step.getTraversal()))
                && isEnoughFor(step.getNextStep(), graph);
    }

    private static boolean showsPaths(Traversal.Admin<?, ?> root) {
        return TraversalHelper.anyStepRecursively(
                step ->
                        step instanceof PathStep<?>
                                || step instanceof TreeStep<?>
                                || step instanceof TreeSideEffectStep<?>,
                root);
    }

    private static boolean isEnoughFor(Step<?, ?> step, ContainerGraph graph) {
        if (!step.getLabels().isEmpty()) {
            return false;
        }
        return switch (step) {
            case VertexStepContract<?> _,
                    AdjacentStep<?> _,
                    IdStep<?> _,
                    LabelStep<?> _,
                    CountGlobalStep<?> _ ->
                    true;
            case PropertiesStep<?> properties ->
                    properties.getPropertyKeys().length > 0
                            && Arrays.stream(properties.getPropertyKeys())
                                    .allMatch(graph::isOfName);
            case HasStep<?> has ->
                    has.getHasContainers().stream().allMatch(each -> graph.isOfName(each.getKey()))
                            && isEnoughFor(step.getNextStep(), graph);
            case DedupGlobalStep<?> dedup ->
                    dedup.getLocalChildren().isEmpty()
                            && dedup.getScopeKeys().isEmpty()
                            && isEnoughFor(step.getNextStep(), graph);
            case NoOpBarrierStep<?> _,
                    RangeGlobalStep<?> _,
                    PathFilterStep<?> _,
                    GatheringStep<?> _,
                    IterationLimitStep<?> _ ->
                    isEnoughFor(step.getNextStep(), graph);
            case RepeatStep.RepeatEndStep<?> end -> isEnoughToRepeat(end, graph);
            case EmptyStep<?, ?> _ -> false;
            default -> false;
        };
    }

    /** A traverser of a loop begins again at its first step, or goes on behind it. */
    private static boolean isEnoughToRepeat(RepeatStep.RepeatEndStep<?> end, ContainerGraph graph) {
        return end.getTraversal().getParent() instanceof RepeatStep<?> loop
                && (loop.getEmitTraversal() == null)
                && (loop.getUntilTraversal() == null
                        || loop.getUntilTraversal() instanceof LoopTraversal<?>)
                && isEnoughFor(loop.getRepeatTraversal().getStartStep(), graph)
                && isEnoughFor(((Step<?, ?>) loop).getNextStep(), graph);
    }
}
