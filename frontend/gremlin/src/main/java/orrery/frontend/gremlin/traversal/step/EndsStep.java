package orrery.frontend.gremlin.traversal.step;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.AbstractStep;
import org.apache.tinkerpop.gremlin.process.traversal.traverser.TraverserRequirement;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import orrery.frontend.gremlin.traversal.GraphException;
import orrery.frontend.gremlin.traversal.graph.ContainerGraph;
import orrery.frontend.gremlin.traversal.graph.StoredEdge;
import orrery.frontend.gremlin.traversal.graph.StoredVertex;

/** outV(), inV() and bothV(): the ends of many edges, read together if they are read. */
@SuppressWarnings("serial")
final class EndsStep extends AbstractStep<Edge, Vertex> {
    private static final long serialVersionUID = 1;

    /** The edges whose ends are read together. */
    private static final int MAX_EDGES = 256;

    private final Direction direction;
    private final boolean reads;
    private transient Deque<Traverser.Admin<Vertex>> ready = new ArrayDeque<>();

    EndsStep(
            Traversal.Admin<?, ?> traversal,
            Direction direction,
            boolean reads,
            Set<String> labels) {
        super(traversal);
        this.direction = direction;
        this.reads = reads;
        this.labels.addAll(labels);
    }

    private record End(Traverser.Admin<Edge> traverser, StoredVertex vertex) {}

    @Override
    protected Traverser.Admin<Vertex> processNextStart() {
        while (ready.isEmpty()) {
            List<End> ends = gather();
            if (reads) {
                ContainerGraph graph = (ContainerGraph) getTraversal().getGraph().orElseThrow();
                graph.adjacency().load(ends.stream().map(End::vertex).toList());
            }
            for (End end : ends) {
                if (!reads || end.vertex().isThere()) {
                    ready.addLast(end.traverser().split(end.vertex(), this));
                }
            }
        }
        return ready.removeFirst();
    }

    private List<End> gather() {
        List<End> ends = new ArrayList<>();
        int count = 0;
        do {
            Traverser.Admin<Edge> traverser = starts.next();
            count++;
            if (!((Object) traverser.get() instanceof StoredEdge edge)) {
                throw new GraphException(
                        GraphException.Fault.EXECUTION,
                        "The step " + this + " leads from edges to vertices, and was given none.");
            }
            if (direction != Direction.IN) {
                ends.add(new End(traverser, edge.source()));
            }
            if (direction != Direction.OUT) {
                ends.add(new End(traverser, edge.sink()));
            }
        } while (count < MAX_EDGES && starts.hasNext());
        return ends;
    }

    @Override
    public Set<TraverserRequirement> getRequirements() {
        return Set.of(TraverserRequirement.OBJECT);
    }

    @Override
    public void reset() {
        super.reset();
        ready = new ArrayDeque<>();
    }

    @Override
    public EndsStep clone() {
        EndsStep clone = (EndsStep) super.clone();
        clone.ready = new ArrayDeque<>();
        return clone;
    }

    @Override
    public String toString() {
        return StringFactory.stepString(this, direction);
    }
}
