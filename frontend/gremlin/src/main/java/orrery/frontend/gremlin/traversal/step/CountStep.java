package orrery.frontend.gremlin.traversal.step;

import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.AbstractStep;
import org.apache.tinkerpop.gremlin.process.traversal.util.FastNoSuchElementException;
import orrery.frontend.gremlin.traversal.graph.ContainerGraph;
import orrery.frontend.gremlin.traversal.graph.ElementFilter;

/** The number of the elements that a filter lets through, counted where they are kept. */
@SuppressWarnings("serial")
final class CountStep extends AbstractStep<Long, Long> {
    private static final long serialVersionUID = 1;

    private final boolean ofEdges;
    private final transient ElementFilter filter;
    private boolean isDone;

    CountStep(Traversal.Admin<?, ?> traversal, boolean ofEdges, ElementFilter filter) {
        super(traversal);
        this.ofEdges = ofEdges;
        this.filter = filter;
    }

    @Override
    protected Traverser.Admin<Long> processNextStart() {
        if (isDone) {
            throw FastNoSuchElementException.instance();
        }
        isDone = true;
        ContainerGraph graph = (ContainerGraph) getTraversal().getGraph().orElseThrow();
        return getTraversal()
                .getTraverserGenerator()
                .generate(graph.count(ofEdges, filter), this, 1);
    }

    @Override
    public void reset() {
        super.reset();
        isDone = false;
    }
}
