package orrery.frontend.gremlin.traversal.step;

import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.branch.RepeatStep;
import orrery.frontend.gremlin.traversal.graph.ContainerGraph;

/** Bounds every repeat(), which otherwise ends when its author has thought of an end. */
final class IterationLimitStrategy extends ContainerStrategy {
    static final IterationLimitStrategy INSTANCE = new IterationLimitStrategy();
    private static final long serialVersionUID = 1;

    @Override
    void apply(Traversal.Admin<?, ?> traversal, ContainerGraph graph) {
        for (Step<?, ?> step : List.copyOf(traversal.getSteps())) {
            if (step instanceof RepeatStep<?> loop
                    // The step itself says so where there is nothing to repeat.
                    && loop.getRepeatTraversal() != null
                    && !(loop.getRepeatTraversal().getStartStep() instanceof IterationLimitStep)) {
                Traversal.Admin<?, ?> round = loop.getRepeatTraversal();
                round.addStep(0, new IterationLimitStep<>(round));
            }
        }
    }
}
