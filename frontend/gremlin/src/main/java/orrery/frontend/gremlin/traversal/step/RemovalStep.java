package orrery.frontend.gremlin.traversal.step;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.AbstractStep;
import org.apache.tinkerpop.gremlin.process.traversal.traverser.TraverserRequirement;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import orrery.frontend.gremlin.traversal.GraphException;
import orrery.frontend.gremlin.traversal.graph.ContainerGraph;

/** drop(): removes what it is given, some at a time, and passes nothing on. */
final class RemovalStep<S> extends AbstractStep<S, S> {
    private static final long serialVersionUID = 1;

    /** The elements that are dropped together. */
    private static final int MAX_ELEMENTS = 256;

    RemovalStep(Traversal.Admin<?, ?> traversal) {
        super(traversal);
    }

    @Override
    protected Traverser.Admin<S> processNextStart() {
        ContainerGraph graph = (ContainerGraph) getTraversal().getGraph().orElseThrow();
        while (true) {
            List<Element> elements = new ArrayList<>();
            // This throws once there are no more, as all steps end.
            take(starts.next(), elements);
            while (elements.size() < MAX_ELEMENTS && starts.hasNext()) {
                take(starts.next(), elements);
            }
            graph.removeAll(elements);
        }
    }

    private static void take(Traverser.Admin<?> traverser, List<Element> elements) {
        switch ((Object) traverser.get()) {
            case VertexProperty<?> property -> property.remove();
            case Element element -> elements.add(element);
            case Property<?> property -> property.remove();
            case null, default ->
                    throw new GraphException(
                            GraphException.Fault.EXECUTION,
                            "drop() removes vertices, edges and properties, and was given none of"
                                    + " them.");
        }
    }

    @Override
    public Set<TraverserRequirement> getRequirements() {
        return Set.of(TraverserRequirement.OBJECT);
    }
}
