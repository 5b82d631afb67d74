package orrery.frontend.gremlin.traversal.step;

import java.util.List;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Compare;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.WherePredicateStep;
import org.apache.tinkerpop.gremlin.process.traversal.util.AndP;
import org.apache.tinkerpop.gremlin.process.traversal.util.OrP;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;
import orrery.frontend.gremlin.traversal.graph.ContainerGraph;

/** Has where(eq('a')) and where(neq('a')) compare elements by their whole names. */
final class SameElementStrategy extends ContainerStrategy {
    static final SameElementStrategy INSTANCE = new SameElementStrategy();
    private static final long serialVersionUID = 1;

    @Override
    @SuppressWarnings({"unchecked", "rawtypes"})
    void apply(Traversal.Admin<?, ?> traversal, ContainerGraph graph) {
        for (Step<?, ?> step : List.copyOf(traversal.getSteps())) {
            // The values that by() makes of elements are compared as they are.
            if (step instanceof WherePredicateStep<?> where
                    && where.getLocalChildren().isEmpty()
                    && where.getPredicate().isPresent()) {
                WherePredicateStep<?> same =
                        new WherePredicateStep<>(
                                traversal,
                                where.getStartKey(),
                                (P<String>) replaced(where.getPredicate().get()));
                Set<String> kept = where.getKeepLabels();
                if (kept != null) {
                    same.setKeepLabels(kept);
                }
                TraversalHelper.copyLabels(where, same, false);
                TraversalHelper.replaceStep((Step) where, (Step) same, traversal);
            }
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static P<?> replaced(P<?> predicate) {
        return switch (predicate) {
            case AndP<?> and ->
                    new AndP(and.getPredicates().stream().map(each -> replaced(each)).toList());
            case OrP<?> or ->
                    new OrP(or.getPredicates().stream().map(each -> replaced(each)).toList());
            default ->
                    predicate.getBiPredicate() == Compare.eq
                            ? new P(SameElement.EQ, predicate.getValue())
                            : predicate.getBiPredicate() == Compare.neq
                                    ? new P(SameElement.NEQ, predicate.getValue())
                                    : predicate;
        };
    }
}
