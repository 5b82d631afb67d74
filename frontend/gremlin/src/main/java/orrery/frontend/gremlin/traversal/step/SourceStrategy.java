package orrery.frontend.gremlin.traversal.step;

import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.CountGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GraphStep;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;
import orrery.frontend.gremlin.traversal.graph.ContainerGraph;
import orrery.frontend.gremlin.traversal.graph.ElementFilter;

/**
 * Has V() and E() ask for what the conditions behind them let through, and no more: by point reads
 * where these name elements, else by one query. A count of it is one query too.
 */
final class SourceStrategy extends ContainerStrategy {
    static final SourceStrategy INSTANCE = new SourceStrategy();
    private static final long serialVersionUID = 1;

    @Override
    void apply(Traversal.Admin<?, ?> traversal, ContainerGraph graph) {
        for (Step<?, ?> step : List.copyOf(traversal.getSteps())) {
            if (step instanceof GraphStep<?, ?> source && !(source instanceof ElementsStep)) {
                replace(source, traversal, graph);
            }
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static void replace(
            GraphStep<?, ?> source, Traversal.Admin<?, ?> traversal, ContainerGraph graph) {
        ElementFilter filter = graph.filter(source.returnsEdge(), conditionsBehind(source));
        Step<?, ?> behind = behindConditions(source);
        if (behind instanceof CountGlobalStep<?>
                && source.isStartStep()
                && source.getIds() != null
                && source.getIds().length == 0
                && filter.isExact()
                && !hasLabels(source, behind)) {
            CountStep count = new CountStep(traversal, source.returnsEdge(), filter);
            TraversalHelper.copyLabels(behind, count, false);
            while (source.getNextStep() != behind) {
                traversal.removeStep(source.getNextStep());
            }
            traversal.removeStep(behind);
            TraversalHelper.replaceStep((Step) source, (Step) count, traversal);
            return;
        }
        long wanted = filter.isExact() ? wantedBy(behind) : Long.MAX_VALUE;
        TraversalHelper.replaceStep(
                (Step) source, (Step) new ElementsStep(source, filter, wanted), traversal);
    }

    private static boolean hasLabels(Step<?, ?> from, Step<?, ?> to) {
        for (Step<?, ?> step = from; step != to; step = step.getNextStep()) {
            if (!step.getLabels().isEmpty()) {
                return true;
            }
        }
        return false;
    }
}
