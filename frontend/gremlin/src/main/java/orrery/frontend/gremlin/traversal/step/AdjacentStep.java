package orrery.frontend.gremlin.traversal.step;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.AbstractStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.traverser.TraverserRequirement;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.jspecify.annotations.Nullable;
import orrery.frontend.gremlin.traversal.GraphException;
import orrery.frontend.gremlin.traversal.graph.Adjacency;
import orrery.frontend.gremlin.traversal.graph.ContainerGraph;
import orrery.frontend.gremlin.traversal.graph.StoredVertex;

/**
 * out(), in(), both() and the steps to their edges. It gathers traversers and asks for the edges of
 * all their vertices at once. What comes of that is passed on a page at a time.
 */
@SuppressWarnings("serial")
final class AdjacentStep<E extends Element> extends AbstractStep<Vertex, E> {
    private static final long serialVersionUID = 1;

    /** The vertices of one question. The engine looks for so many alternatives one by one. */
    private static final int FRONTIER = 64;

    /** The traversers of one question, of which several may be at a vertex. */
    private static final int MAX_TRAVERSERS = 256;

    private final boolean returnsEdges;
    private final Direction direction;
    private final String[] edgeLabels;
    private final transient List<HasContainer> conditions;
    private final transient List<HasContainer> nameConditions;
    private final boolean reads;
    private final long wanted;

    private transient Deque<Traverser.Admin<E>> ready = new ArrayDeque<>();
    private transient Iterator<Direction> directions = Collections.emptyIterator();
    private transient @Nullable Iterator<List<Adjacency.Step>> pages;
    private transient Map<StoredVertex, List<Traverser.Admin<Vertex>>> frontier = Map.of();

    /**
     * @param conditions on edges, where these come out
     * @param nameConditions on the names of vertices, where these come out
     * @param reads whether more than names is wanted of the vertices that come out
     */
    AdjacentStep(
            VertexStep<E> origin,
            List<HasContainer> conditions,
            List<HasContainer> nameConditions,
            boolean reads,
            long wanted) {
        super(origin.getTraversal());
        this.returnsEdges = origin.returnsEdge();
        this.direction = origin.getDirection();
        this.edgeLabels = origin.getEdgeLabels();
        this.conditions = List.copyOf(conditions);
        this.nameConditions = List.copyOf(nameConditions);
        this.reads = reads;
        this.wanted = wanted;
        this.labels.addAll(origin.getLabels());
    }

    @Override
    protected Traverser.Admin<E> processNextStart() {
        while (ready.isEmpty()) {
            if (pages != null && pages.hasNext()) {
                arrive(pages.next());
            } else if (directions.hasNext()) {
                pages = ask(directions.next());
            } else {
                gather();
                directions =
                        direction == Direction.BOTH
                                ? List.of(Direction.OUT, Direction.IN).iterator()
                                : List.of(direction).iterator();
            }
        }
        return ready.removeFirst();
    }

    /** Waits for a traverser, and takes those that are there already. */
    private void gather() {
        pages = null;
        frontier = new LinkedHashMap<>();
        int count = 0;
        do {
            Traverser.Admin<Vertex> traverser = starts.next();
            frontier.computeIfAbsent(vertex(traverser), _ -> new ArrayList<>()).add(traverser);
            count++;
        } while (frontier.size() < FRONTIER && count < MAX_TRAVERSERS && starts.hasNext());
    }

    private StoredVertex vertex(Traverser.Admin<?> traverser) {
        if (traverser.get() instanceof Vertex vertex) {
            return graph().adopt(vertex);
        }
        throw new GraphException(
                GraphException.Fault.EXECUTION,
                "The step "
                        + this
                        + " follows the edges of vertices, and was given "
                        + (traverser.get() == null
                                ? "null"
                                : "a " + traverser.get().getClass().getSimpleName())
                        + ".");
    }

    private ContainerGraph graph() {
        return (ContainerGraph) getTraversal().getGraph().orElseThrow();
    }

    private Iterator<List<Adjacency.Step>> ask(Direction way) {
        return graph().adjacency()
                .steps(
                        frontier.keySet(),
                        way,
                        edgeLabels,
                        graph().filter(true, conditions),
                        wanted);
    }

    @SuppressWarnings("unchecked")
    private void arrive(List<Adjacency.Step> page) {
        // An edge tells the names of its ends: what fails by them need not be read.
        List<Adjacency.Step> steps =
                nameConditions.isEmpty()
                        ? page
                        : page.stream()
                                .filter(step -> HasContainer.testAll(step.far(), nameConditions))
                                .toList();
        if (reads) {
            steps = graph().adjacency().read(steps);
        }
        for (Adjacency.Step step : steps) {
            E element = (E) (returnsEdges ? step.edge() : step.far());
            for (Traverser.Admin<Vertex> traverser :
                    frontier.getOrDefault(step.near(), List.of())) {
                ready.addLast(traverser.split(element, this));
            }
        }
    }

    @Override
    public Set<TraverserRequirement> getRequirements() {
        return Set.of(TraverserRequirement.OBJECT);
    }

    @Override
    public void reset() {
        super.reset();
        forget();
    }

    private void forget() {
        ready = new ArrayDeque<>();
        directions = Collections.emptyIterator();
        pages = null;
        frontier = Map.of();
    }

    @Override
    @SuppressWarnings("unchecked")
    public AdjacentStep<E> clone() {
        AdjacentStep<E> clone = (AdjacentStep<E>) super.clone();
        clone.forget();
        return clone;
    }

    @Override
    public String toString() {
        return StringFactory.stepString(
                this, direction, Arrays.asList(edgeLabels), returnsEdges ? "edge" : "vertex");
    }
}
