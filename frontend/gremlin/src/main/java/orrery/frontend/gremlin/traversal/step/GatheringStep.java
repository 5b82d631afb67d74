package orrery.frontend.gremlin.traversal.step;

import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.FilterStep;
import orrery.frontend.gremlin.traversal.graph.ContainerGraph;
import orrery.frontend.gremlin.traversal.graph.GraphMemory;

/** Counts the traversers that the step behind it keeps, until its traversal begins anew. */
final class GatheringStep<S> extends FilterStep<S> {
    private static final long serialVersionUID = 1;

    private long gathered;

    GatheringStep(Traversal.Admin<?, ?> traversal) {
        super(traversal);
    }

    private GraphMemory memory() {
        return ((ContainerGraph) getTraversal().getGraph().orElseThrow()).memory();
    }

    @Override
    protected boolean filter(Traverser.Admin<S> traverser) {
        long bytes = GraphMemory.size(traverser.get());
        memory().gather(bytes);
        gathered += bytes;
        return true;
    }

    @Override
    public void reset() {
        super.reset();
        if (gathered > 0) {
            memory().release(gathered);
            gathered = 0;
        }
    }
}
