package orrery.frontend.gremlin.traversal.graph;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.jspecify.annotations.Nullable;
import orrery.document.Value;

/** One value of a property of a vertex. */
final class StoredVertexProperty<V> implements VertexProperty<V> {
    private final StoredVertex vertex;
    private final String key;
    private final V value;
    private VertexDocument.Entry entry;

    @SuppressWarnings("unchecked")
    StoredVertexProperty(StoredVertex vertex, String key, VertexDocument.Entry entry) {
        this.vertex = vertex;
        this.key = key;
        this.value = (V) GraphValues.shown(entry.value()).orElseThrow();
        this.entry = entry;
    }

    @Override
    public String key() {
        return key;
    }

    @Override
    public String label() {
        return key;
    }

    @Override
    public V value() {
        return value;
    }

    @Override
    public boolean isPresent() {
        return true;
    }

    @Override
    public Vertex element() {
        return vertex;
    }

    @Override
    public Graph graph() {
        return vertex.graph();
    }

    @Override
    public Object id() {
        return entry.id();
    }

    @Override
    public Set<String> keys() {
        return entry.meta().keySet();
    }

    @Override
    public <U> Property<U> property(String name, U wanted) {
        ElementHelper.validateProperty(name, wanted);
        Value stored = GraphValues.stored(name, wanted);
        changeMeta(name, stored);
        return new StoredProperty<>(this, name, wanted, () -> remove(name));
    }

    private void remove(String name) {
        changeMeta(name, Value.Undefined.UNDEFINED);
    }

    private void changeMeta(String name, Value wanted) {
        vertex.checkChangeable(key);
        entry = entry.with(name, wanted);
        vertex.change(
                body ->
                        VertexDocument.with(
                                body,
                                key,
                                VertexDocument.entries(vertex.graph().schema(), body, key).stream()
                                        .map(
                                                each ->
                                                        each.id().equals(entry.id())
                                                                ? each.with(name, wanted)
                                                                : each)
                                        .toList()));
    }

    @Override
    public void remove() {
        vertex.checkChangeable(key);
        UnaryOperator<Value.Obj> without =
                body ->
                        vertex.graph().schema().isFlat(key)
                                ? body.with(key, Value.Undefined.UNDEFINED)
                                : VertexDocument.with(
                                        body,
                                        key,
                                        VertexDocument.entries(vertex.graph().schema(), body, key)
                                                .stream()
                                                .filter(each -> !each.id().equals(entry.id()))
                                                .toList());
        vertex.change(without);
    }

    @Override
    @SuppressWarnings("unchecked")
    public <U> Iterator<Property<U>> properties(String... names) {
        List<Property<U>> found =
                entry.meta().entrySet().stream()
                        .filter(each -> ElementHelper.keyExists(each.getKey(), names))
                        .filter(each -> GraphValues.shown(each.getValue()).isPresent())
                        .<Property<U>>map(each -> (Property<U>) meta(each))
                        .toList();
        return found.iterator();
    }

    private Property<Object> meta(Map.Entry<String, Value> each) {
        return new StoredProperty<>(
                this,
                each.getKey(),
                GraphValues.shown(each.getValue()).orElseThrow(),
                () -> remove(each.getKey()));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StoredVertexProperty<?> property
                ? property.vertex.equals(vertex)
                        && property.key.equals(key)
                        && Objects.equals(property.id(), id())
                : ElementHelper.areEqual(this, other);
    }

    @Override
    public int hashCode() {
        return ElementHelper.hashCode((Element) this);
    }

    @Override
    public String toString() {
        return StringFactory.propertyString(this);
    }
}
