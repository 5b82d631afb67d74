package orrery.frontend.gremlin.traversal.graph;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.jspecify.annotations.Nullable;
import orrery.document.Value;
import orrery.frontend.gremlin.traversal.GraphException;

/**
 * A vertex. One that an edge leads to is known by its name and label first, and read when somebody
 * asks for more. If it is not there any more, it has no properties.
 */
public final class StoredVertex extends StoredElement implements Vertex {
    static final String DEFAULT_LABEL = Vertex.DEFAULT_LABEL;

    private @Nullable String label;
    private boolean isMissing;

    StoredVertex(ContainerGraph graph, ElementKey key, StoredItem item) {
        super(graph, key, item);
        this.label = GraphSchema.text(item.body(), GraphSchema.LABEL, DEFAULT_LABEL);
    }

    /** A vertex of which an edge tells. */
    StoredVertex(ContainerGraph graph, ElementKey key, Optional<String> label) {
        super(graph, key, null);
        this.label = label.orElse(null);
    }

    @Override
    public String label() {
        String known = label;
        if (known == null) {
            known =
                    find().map(
                                    there ->
                                            GraphSchema.text(
                                                    there.body(), GraphSchema.LABEL, DEFAULT_LABEL))
                            .orElse(DEFAULT_LABEL);
            label = known;
        }
        return known;
    }

    private Optional<StoredItem> find() {
        if (item == null && !isMissing) {
            item =
                    graph.store()
                            .read(ContainerGraph.GET_NEIGHBORS, key)
                            .filter(read -> GraphSchema.isVertex(read.body()))
                            .orElse(null);
            isMissing = item == null;
        }
        return Optional.ofNullable(item);
    }

    /** Returns true if only its name is known. */
    boolean isUnknown() {
        return item == null && !isMissing;
    }

    /** Returns true if it was there when it was read, which this may do. */
    public boolean isThere() {
        return find().isPresent();
    }

    void arrive(@Nullable StoredItem read) {
        if (read != null && GraphSchema.isVertex(read.body())) {
            item = read;
        } else {
            isMissing = true;
        }
    }

    @Override
    StoredItem present() {
        if (isRemoved) {
            throw removed();
        }
        return find().orElseThrow(() -> GraphStore.gone(key));
    }

    private IllegalStateException removed() {
        return new IllegalStateException("The vertex " + key + " was removed.");
    }

    private Value.Obj body() {
        return find().map(StoredItem::body).orElse(new Value.Obj(Map.of()));
    }

    @Override
    public Set<String> keys() {
        if (isRemoved) {
            return Set.of();
        }
        Set<String> keys = new LinkedHashSet<>(VertexDocument.keys(graph.schema(), body()));
        keys.addAll(graph.systemProperties());
        return Collections.unmodifiableSet(keys);
    }

    @Override
    public <V> VertexProperty<V> property(String name) {
        Iterator<VertexProperty<V>> found = properties(name);
        if (!found.hasNext()) {
            return VertexProperty.empty();
        }
        VertexProperty<V> first = found.next();
        if (found.hasNext()) {
            throw Vertex.Exceptions.multiplePropertiesExistForProvidedKey(name);
        }
        return first;
    }

    @Override
    public <V> Iterator<VertexProperty<V>> properties(String... names) {
        if (isRemoved) {
            return Collections.emptyIterator();
        }
        List<VertexProperty<V>> found = new ArrayList<>();
        if (names.length == 0) {
            keys().forEach(name -> collect(name, found));
        } else {
            for (String name : names) {
                if (name != null) {
                    noteAsked(name);
                    collect(name, found);
                }
            }
        }
        return found.iterator();
    }

    private <V> void collect(String name, List<VertexProperty<V>> found) {
        entries(name).forEach(entry -> found.add(new StoredVertexProperty<>(this, name, entry)));
    }

    private List<VertexDocument.Entry> entries(String name) {
        return switch (name) {
            case GraphSchema.ID -> List.of(synthetic(name, Value.of(key.id())));
            case GraphSchema.LABEL -> List.of(synthetic(name, Value.of(label())));
            default -> {
                if (graph.schema().isPartitionKey(name)) {
                    // It is known before the vertex is read.
                    yield GraphValues.shown(key.partition()).isPresent()
                            ? List.of(synthetic(name, key.partition()))
                            : List.of();
                }
                if (GraphSchema.isOfTheService(name)) {
                    Value value = GraphSchema.find(body(), name);
                    yield value.isDefined() ? List.of(synthetic(name, value)) : List.of();
                }
                yield VertexDocument.entries(graph.schema(), body(), name);
            }
        };
    }

    private VertexDocument.Entry synthetic(String name, Value value) {
        return new VertexDocument.Entry(key.id() + "|" + name, value, Map.of());
    }

    /** Throws for what cannot be changed once a vertex is there. */
    void checkChangeable(String name) {
        if (name.equals(GraphSchema.ID) || name.equals(GraphSchema.LABEL)) {
            throw refused("The " + name + " of a vertex cannot be changed.");
        }
        if (graph.schema().isPartitionKey(name)) {
            throw refused(
                    "The property '"
                            + name
                            + "' is the partition key of the graph, and cannot be changed: the"
                            + " vertex would move to another partition.");
        }
        ContainerGraph.checkName(name);
    }

    private static GraphException refused(String message) {
        return new GraphException(GraphException.Fault.EXECUTION, message);
    }

    @Override
    public <V> VertexProperty<V> property(
            VertexProperty.Cardinality cardinality, String name, V value, Object... keyValues) {
        ElementHelper.legalPropertyKeyValueArray(keyValues);
        Setting setting =
                new Setting(Optional.ofNullable(cardinality), name, value, List.of(keyValues));
        set(List.of(setting));
        if (graph.schema().isFlat(name)) {
            return property(name);
        }
        Value stored = GraphValues.stored(name, value);
        return new StoredVertexProperty<>(
                this,
                name,
                entries(name).stream()
                        .filter(each -> each.value().equals(stored))
                        .reduce((_, last) -> last)
                        .orElseThrow());
    }

    /** Sets properties, all by one write. */
    @Override
    public void set(List<Setting> settings) {
        if (isRemoved) {
            throw removed();
        }
        UnaryOperator<Value.Obj> all = UnaryOperator.identity();
        for (Setting setting : settings) {
            UnaryOperator<Value.Obj> before = all;
            UnaryOperator<Value.Obj> next = change(setting);
            all = body -> next.apply(before.apply(body));
        }
        change(all);
    }

    private UnaryOperator<Value.Obj> change(Setting setting) {
        String name = setting.name();
        Object value = setting.value();
        ElementHelper.validateProperty(name, value);
        checkChangeable(name);
        if (value == null) {
            throw ContainerGraph.noValue(name);
        }
        VertexDocument.Entry entry = graph.entry(name, value, setting.meta());
        if (graph.schema().isFlat(name)) {
            return body -> body.with(name, entry.value());
        }
        return body ->
                VertexDocument.with(
                        body,
                        name,
                        joined(
                                VertexDocument.entries(graph.schema(), body, name),
                                entry,
                                setting.cardinality().orElse(VertexProperty.Cardinality.single)));
    }

    /** Returns the values of a property after another one was given to it. */
    static List<VertexDocument.Entry> joined(
            List<VertexDocument.Entry> before,
            VertexDocument.Entry added,
            VertexProperty.Cardinality cardinality) {
        return switch (cardinality) {
            case list -> {
                List<VertexDocument.Entry> all = new ArrayList<>(before);
                all.add(added);
                yield all;
            }
            case set -> {
                Map<Value, VertexDocument.Entry> byValue = new LinkedHashMap<>();
                before.forEach(entry -> byValue.put(entry.value(), entry));
                byValue.merge(
                        added.value(),
                        added,
                        (present, wanted) -> {
                            Map<String, Value> meta = new LinkedHashMap<>(present.meta());
                            meta.putAll(wanted.meta());
                            return new VertexDocument.Entry(present.id(), present.value(), meta);
                        });
                yield List.copyOf(byValue.values());
            }
            case single -> List.of(added);
        };
    }

    @Override
    public Edge addEdge(String edgeLabel, Vertex inVertex, Object... keyValues) {
        if (inVertex == null) {
            throw Graph.Exceptions.argumentCanNotBeNull("inVertex");
        }
        return graph.addEdge(this, graph.adopt(inVertex), edgeLabel, keyValues);
    }

    @Override
    public Iterator<Edge> edges(Direction direction, String... edgeLabels) {
        return isRemoved
                ? Collections.emptyIterator()
                : graph.adjacency().edges(this, direction, edgeLabels);
    }

    @Override
    public Iterator<Vertex> vertices(Direction direction, String... edgeLabels) {
        return isRemoved
                ? Collections.emptyIterator()
                : graph.adjacency().vertices(this, direction, edgeLabels);
    }

    @Override
    public void remove() {
        if (!isRemoved) {
            graph.remove(this);
            isRemoved = true;
        }
    }

    @Override
    public String toString() {
        return StringFactory.vertexString(this);
    }
}
