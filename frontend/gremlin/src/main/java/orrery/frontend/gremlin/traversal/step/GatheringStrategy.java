package orrery.frontend.gremlin.traversal.step;

import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.TraversalParent;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.DedupGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.SampleGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.FoldStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GroupStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.OrderGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.TreeStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.AggregateStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.GroupSideEffectStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.TreeSideEffectStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.ReducingBarrierStep;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;
import orrery.frontend.gremlin.traversal.graph.ContainerGraph;

/** Counts what goes into the steps that keep it. */
final class GatheringStrategy extends ContainerStrategy {
    static final GatheringStrategy INSTANCE = new GatheringStrategy();
    private static final long serialVersionUID = 1;

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"})
    void apply(Traversal.Admin<?, ?> traversal, ContainerGraph graph) {
        for (Step<?, ?> step : List.copyOf(traversal.getSteps())) {
            if (step instanceof DedupGlobalStep<?>) {
                // It keeps what it passes on.
                TraversalHelper.insertAfterStep(
                        (Step) new GatheringStep<>(traversal), (Step) step, traversal);
            } else if (keeps(step)) {
                TraversalHelper.insertBeforeStep(
                        (Step) new GatheringStep<>(traversal), (Step) step, traversal);
            }
        }
    }

    private static boolean keeps(Step<?, ?> step) {
        return switch (step) {
            case OrderGlobalStep<?, ?> _,
                    SampleGlobalStep<?> _,
                    FoldStep<?, ?> _,
                    TreeStep<?> _,
                    AggregateStep<?> _,
                    TreeSideEffectStep<?> _ ->
                    true;
            case GroupStep<?, ?, ?> group -> keepsMembers(group);
            case GroupSideEffectStep<?, ?, ?> group -> keepsMembers(group);
            default -> false;
        };
    }

    /** A group of which only a number is wanted keeps that alone. */
    private static boolean keepsMembers(TraversalParent group) {
        return group.getLocalChildren().stream()
                .noneMatch(
                        child ->
                                child.getEndStep() instanceof ReducingBarrierStep<?, ?> reducing
                                        && !(reducing instanceof FoldStep<?, ?>));
    }
}
