package orrery.frontend.gremlin.traversal.step;

import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.DropStep;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;
import orrery.frontend.gremlin.traversal.graph.ContainerGraph;

/** Has drop() remove many elements at once. */
final class RemovalStrategy extends ContainerStrategy {
    static final RemovalStrategy INSTANCE = new RemovalStrategy();
    private static final long serialVersionUID = 1;

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"})
    void apply(Traversal.Admin<?, ?> traversal, ContainerGraph graph) {
        for (Step<?, ?> step : List.copyOf(traversal.getSteps())) {
            if (step instanceof DropStep<?>) {
                TraversalHelper.replaceStep(
                        (Step) step, (Step) new RemovalStep<>(traversal), traversal);
            }
        }
    }
}
