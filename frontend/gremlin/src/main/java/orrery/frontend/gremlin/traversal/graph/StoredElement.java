package orrery.frontend.gremlin.traversal.graph;

import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.jspecify.annotations.Nullable;
import orrery.document.Value;

/** An element has an item, whose version a traversal may name. */
public abstract sealed class StoredElement implements Element permits StoredVertex, StoredEdge {
    final ContainerGraph graph;
    final ElementKey key;

    /** Absent for a vertex of which only the name is known yet. */
    @Nullable StoredItem item;

    boolean isRemoved;

    /** True once the traversal has asked for the version: then a change is of that one only. */
    private boolean isVersionNamed;

    StoredElement(ContainerGraph graph, ElementKey key, @Nullable StoredItem item) {
        this.graph = graph;
        this.key = key;
        this.item = item;
    }

    ElementKey key() {
        return key;
    }

    @Override
    public Object id() {
        return key.id();
    }

    @Override
    public ContainerGraph graph() {
        return graph;
    }

    boolean isVersionNamed() {
        return isVersionNamed;
    }

    void noteAsked(String property) {
        if (property.equals(GraphSchema.ETAG)) {
            isVersionNamed = true;
        }
    }

    /** Throws unless the element is there. */
    abstract StoredItem present();

    /** Sets properties, all by one write. */
    public abstract void set(List<Setting> settings);

    void change(UnaryOperator<Value.Obj> change) {
        item = graph.store().update(key, present(), isVersionNamed, change);
    }

    /** An element of another graph, or a copy without a partition, is the same if its id is. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StoredElement element
                ? element.getClass() == getClass() && element.key.equals(key)
                : ElementHelper.areEqual(this, other);
    }

    @Override
    public int hashCode() {
        return key.id().hashCode();
    }
}
