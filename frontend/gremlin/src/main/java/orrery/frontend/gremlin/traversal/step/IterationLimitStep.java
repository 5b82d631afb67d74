package orrery.frontend.gremlin.traversal.step;

import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.FilterStep;
import orrery.frontend.gremlin.traversal.GraphException;
import orrery.frontend.gremlin.traversal.graph.ContainerGraph;
import orrery.frontend.gremlin.traversal.graph.GraphMemory;
import orrery.frontend.gremlin.traversal.script.TraversalRules;

/**
 * The beginning of each round of a repeat(). It counts the traversers of a round, which all wait
 * for the next one, until that has begun.
 */
final class IterationLimitStep<S> extends FilterStep<S> {
    private static final long serialVersionUID = 1;

    private int round;
    private long ofRound;
    private long ofRoundBefore;

    IterationLimitStep(Traversal.Admin<?, ?> traversal) {
        super(traversal);
    }

    @Override
    protected boolean filter(Traverser.Admin<S> traverser) {
        if (traverser.loops() >= TraversalRules.MAX_ITERATIONS) {
            throw new GraphException(
                    GraphException.Fault.LIMIT,
                    "repeat() may go round %d times, and this one would go on."
                            .formatted(TraversalRules.MAX_ITERATIONS));
        }
        if (getTraversal().getGraph().orElse(null) instanceof ContainerGraph graph) {
            // A loop that finds nothing to ask the engine for would not hear of its end otherwise.
            graph.store().check();
            count(traverser, graph.memory());
        }
        return true;
    }

    private void count(Traverser.Admin<S> traverser, GraphMemory memory) {
        if (traverser.loops() != round) {
            memory.release(ofRoundBefore);
            ofRoundBefore = ofRound;
            ofRound = 0;
            round = traverser.loops();
        }
        long bytes = GraphMemory.size(traverser.get());
        memory.gather(bytes);
        ofRound += bytes;
    }

    @Override
    public void reset() {
        super.reset();
        if (ofRound + ofRoundBefore > 0) {
            ((ContainerGraph) getTraversal().getGraph().orElseThrow())
                    .memory()
                    .release(ofRound + ofRoundBefore);
        }
        ofRound = 0;
        ofRoundBefore = 0;
        round = 0;
    }
}
