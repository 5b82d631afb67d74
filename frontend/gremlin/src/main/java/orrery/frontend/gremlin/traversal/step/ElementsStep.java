package orrery.frontend.gremlin.traversal.step;

import java.util.Collections;
import java.util.Iterator;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GraphStep;
import org.apache.tinkerpop.gremlin.structure.Element;
import orrery.frontend.gremlin.traversal.graph.ContainerGraph;
import orrery.frontend.gremlin.traversal.graph.ElementFilter;

/** V() or E() with what a query can check of the conditions behind it. */
@SuppressWarnings("serial")
final class ElementsStep<S, E extends Element> extends GraphStep<S, E> {
    private static final long serialVersionUID = 1;

    private final transient ElementFilter filter;
    private final long wanted;

    /**
     * @param wanted how many are wanted at most, as far as it is known
     */
    @SuppressWarnings("this-escape")
    ElementsStep(GraphStep<S, E> origin, ElementFilter filter, long wanted) {
        super(
                origin.getTraversal(),
                origin.getReturnClass(),
                origin.isStartStep(),
                origin.getIds() == null ? new Object[0] : origin.getIds());
        this.filter = filter;
        this.wanted = wanted;
        if (origin.getIds() == null) {
            ids = null;
        }
        origin.getLabels().forEach(this::addLabel);
        setIteratorSupplier(this::find);
    }

    @Override
    public ElementsStep<S, E> clone() {
        ElementsStep<S, E> clone = (ElementsStep<S, E>) super.clone();
        clone.setIteratorSupplier(clone::find);
        return clone;
    }

    @SuppressWarnings("unchecked")
    private Iterator<E> find() {
        if (ids == null) {
            return Collections.emptyIterator();
        }
        ContainerGraph graph = (ContainerGraph) getTraversal().getGraph().orElseThrow();
        return (Iterator<E>)
                (returnsVertex()
                        ? graph.vertices(ids, filter, wanted)
                        : graph.edges(ids, filter, wanted));
    }
}
