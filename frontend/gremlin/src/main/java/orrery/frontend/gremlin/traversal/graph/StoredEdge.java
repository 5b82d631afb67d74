package orrery.frontend.gremlin.traversal.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;
import orrery.document.Value;
import orrery.frontend.gremlin.traversal.GraphException;

/** An edge. Its item names both ends, so that nothing is read to follow it. */
public final class StoredEdge extends StoredElement implements Edge {
    static final String DEFAULT_LABEL = Edge.DEFAULT_LABEL;

    private final StoredVertex source;
    private final StoredVertex sink;

    StoredEdge(ContainerGraph graph, StoredItem item) {
        super(graph, item.key(graph.schema()), item);
        Value.Obj body = item.body();
        this.source =
                new StoredVertex(
                        graph,
                        new ElementKey(
                                key.partition(), GraphSchema.text(body, GraphSchema.SOURCE, "")),
                        label(body, GraphSchema.SOURCE_LABEL));
        this.sink =
                new StoredVertex(
                        graph,
                        new ElementKey(
                                GraphSchema.find(body, GraphSchema.SINK_PARTITION),
                                GraphSchema.text(body, GraphSchema.SINK, "")),
                        label(body, GraphSchema.SINK_LABEL));
    }

    private static Optional<String> label(Value.Obj body, String name) {
        return GraphSchema.find(body, name) instanceof Value.Text(String text)
                ? Optional.of(text)
                : Optional.empty();
    }

    @Override
    StoredItem present() {
        StoredItem there = item;
        if (isRemoved || there == null) {
            throw new IllegalStateException("The edge " + key + " was removed.");
        }
        return there;
    }

    private Value.Obj body() {
        return present().body();
    }

    @Override
    public String label() {
        StoredItem there = item;
        return there == null
                ? DEFAULT_LABEL
                : GraphSchema.text(there.body(), GraphSchema.LABEL, DEFAULT_LABEL);
    }

    public StoredVertex source() {
        return source;
    }

    public StoredVertex sink() {
        return sink;
    }

    @Override
    public Iterator<Vertex> vertices(Direction direction) {
        return switch (direction) {
            case OUT -> IteratorUtils.of(source);
            case IN -> IteratorUtils.of(sink);
            case BOTH -> IteratorUtils.of(source, sink);
        };
    }

    @Override
    public Set<String> keys() {
        if (isRemoved) {
            return Set.of();
        }
        Set<String> keys = new LinkedHashSet<>();
        for (String name : body().properties().keySet()) {
            if (!GraphSchema.isReserved(name)
                    && !graph.schema().isPartitionKey(name)
                    && find(name).isPresent()) {
                keys.add(name);
            }
        }
        graph.systemProperties().stream().filter(name -> find(name).isPresent()).forEach(keys::add);
        return Collections.unmodifiableSet(keys);
    }

    private Optional<Object> find(String name) {
        return switch (name) {
            case GraphSchema.ID -> Optional.of(key.id());
            case GraphSchema.LABEL -> Optional.of(label());
            case GraphSchema.IN_PARTITION -> GraphValues.shown(sink.key().partition());
            case GraphSchema.OUT_PARTITION -> GraphValues.shown(key.partition());
            default ->
                    GraphSchema.isReserved(name) && !GraphSchema.isOfTheService(name)
                            ? Optional.empty()
                            : GraphValues.shown(GraphSchema.find(body(), name));
        };
    }

    @Override
    @SuppressWarnings("unchecked")
    public <V> Property<V> property(String name) {
        if (isRemoved) {
            return Property.empty();
        }
        noteAsked(name);
        return find(name)
                .<Property<V>>map(
                        value -> new StoredProperty<>(this, name, (V) value, () -> remove(name)))
                .orElseGet(Property::empty);
    }

    private void remove(String name) {
        checkChangeable(name);
        change(body -> body.with(name, Value.Undefined.UNDEFINED));
    }

    private void checkChangeable(String name) {
        if (name.equals(GraphSchema.ID)
                || name.equals(GraphSchema.LABEL)
                || graph.schema().isPartitionKey(name)) {
            throw new GraphException(
                    GraphException.Fault.EXECUTION,
                    "The property '"
                            + name
                            + "' of an edge cannot be changed: an edge is kept with its source.");
        }
        ContainerGraph.checkName(name);
    }

    @Override
    public <V> Property<V> property(String name, V value) {
        set(List.of(new Setting(Optional.empty(), name, value, List.of())));
        return property(name);
    }

    /** Sets properties, all by one write. */
    @Override
    public void set(List<Setting> settings) {
        Map<String, Value> wanted = new LinkedHashMap<>();
        for (Setting setting : settings) {
            String name = setting.name();
            Object value = setting.value();
            if (setting.cardinality().isPresent() || !setting.meta().isEmpty()) {
                throw new GraphException(
                        GraphException.Fault.EXECUTION,
                        "The property '"
                                + name
                                + "' of an edge has one value, without a cardinality and without"
                                + " properties of its own.");
            }
            ElementHelper.validateProperty(name, value);
            checkChangeable(name);
            if (value == null) {
                throw ContainerGraph.noValue(name);
            }
            wanted.put(name, GraphValues.stored(name, value));
        }
        change(
                body -> {
                    Value.Obj changed = body;
                    for (Map.Entry<String, Value> each : wanted.entrySet()) {
                        changed = changed.with(each.getKey(), each.getValue());
                    }
                    return changed;
                });
    }

    @Override
    public <V> Iterator<Property<V>> properties(String... names) {
        if (isRemoved) {
            return Collections.emptyIterator();
        }
        List<Property<V>> found = new ArrayList<>();
        Iterable<String> wanted =
                names.length == 0 ? keys() : Arrays.stream(names).filter(Objects::nonNull).toList();
        for (String name : wanted) {
            Property<V> property = names.length == 0 ? listed(name) : property(name);
            if (property.isPresent()) {
                found.add(property);
            }
        }
        return found.iterator();
    }

    /** A property that came with all others: nobody has asked for the version. */
    @SuppressWarnings("unchecked")
    private <V> Property<V> listed(String name) {
        return new StoredProperty<>(this, name, (V) find(name).orElseThrow(), () -> remove(name));
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
        return StringFactory.edgeString(this);
    }
}
