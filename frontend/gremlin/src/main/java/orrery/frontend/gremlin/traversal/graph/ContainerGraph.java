package orrery.frontend.gremlin.traversal.graph;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import org.apache.commons.configuration2.BaseConfiguration;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.process.computer.GraphComputer;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.jspecify.annotations.Nullable;
import orrery.document.Value;
import orrery.frontend.gremlin.traversal.GraphException;
import orrery.gateway.api.FeedScope;
import orrery.model.Precondition;
import orrery.query.syntax.Scalar;

/**
 * The graph in a container as one request sees it. Each element is an item and is written by
 * itself: what a traversal has written before it fails stays. Used by the thread of the request.
 */
public final class ContainerGraph implements Graph {
    static final String GET_VERTICES = "GetVertices";
    static final String GET_EDGES = "GetEdges";
    static final String GET_NEIGHBORS = "GetNeighborVertices";
    private static final String ADD_VERTEX = "AddVertex";
    private static final String ADD_EDGE = "AddEdge";

    /** More names than this are looked up by one query, and not one by one. */
    private static final int MAX_POINT_READS = 1000;

    private static final GraphFeatures FEATURES = new GraphFeatures();

    private final GraphStore store;
    private final GraphIds ids;
    private final Set<String> systemProperties;
    private final Adjacency adjacency;
    private final GraphMemory memory;

    /**
     * @param systemProperties the properties of the service that elements show beside their own
     */
    public ContainerGraph(
            GraphStore store, GraphIds ids, Set<String> systemProperties, GraphMemory memory) {
        this.store = store;
        this.ids = ids;
        this.systemProperties = Set.copyOf(systemProperties);
        this.adjacency = new Adjacency(this);
        this.memory = memory;
    }

    public GraphStore store() {
        return store;
    }

    GraphSchema schema() {
        return store.schema();
    }

    Set<String> systemProperties() {
        return systemProperties;
    }

    public GraphMemory memory() {
        return memory;
    }

    public Adjacency adjacency() {
        return adjacency;
    }

    /** Returns true for what an edge tells of its ends: their ids, labels and partitions. */
    public boolean isOfName(String property) {
        return property != null
                && (property.equals(T.id.getAccessor())
                        || property.equals(T.label.getAccessor())
                        || property.equals(GraphSchema.ID)
                        || property.equals(GraphSchema.LABEL)
                        || schema().isPartitionKey(property));
    }

    /** Reads what queries can check of the conditions of a traversal. */
    public ElementFilter filter(boolean ofEdges, List<HasContainer> containers) {
        return ElementFilter.of(schema(), ofEdges, containers);
    }

    // ---- Reads
    // -----------------------------------------------------------------------------------

    @Override
    public Iterator<Vertex> vertices(Object... vertexIds) {
        return vertices(vertexIds, filter(false, List.of()), Long.MAX_VALUE);
    }

    @Override
    public Iterator<Edge> edges(Object... edgeIds) {
        return edges(edgeIds, filter(true, List.of()), Long.MAX_VALUE);
    }

    /**
     * Finds vertices.
     *
     * @param names as a traversal gives them to V(): none for all
     * @param wanted how many are wanted, as far as it is known
     */
    public Iterator<Vertex> vertices(Object[] names, ElementFilter filter, long wanted) {
        return find(
                GET_VERTICES,
                names,
                filter,
                wanted,
                Conditions.isVertex(),
                item ->
                        GraphSchema.isVertex(item.body())
                                ? Optional.of(new StoredVertex(this, item.key(schema()), item))
                                : Optional.empty());
    }

    /** Like the method for vertices. */
    public Iterator<Edge> edges(Object[] names, ElementFilter filter, long wanted) {
        return find(
                GET_EDGES,
                names,
                filter,
                wanted,
                Conditions.isEdge(),
                item ->
                        GraphSchema.isEdge(item.body())
                                ? Optional.of(new StoredEdge(this, item))
                                : Optional.empty());
    }

    /** Counts the elements that a filter lets through. */
    public long count(boolean ofEdges, ElementFilter filter) {
        List<Scalar> conditions = new ArrayList<>();
        conditions.add(ofEdges ? Conditions.isEdge() : Conditions.isVertex());
        conditions.addAll(filter.all(schema()));
        Iterator<List<Value>> pages =
                store.pages(
                        ofEdges ? GET_EDGES : GET_VERTICES,
                        scope(filter),
                        Conditions.count(conditions),
                        OptionalInt.empty());
        long count = 0;
        while (pages.hasNext()) {
            for (Value row : pages.next()) {
                if (row instanceof Value.Int(long some)) {
                    count += some;
                }
            }
        }
        return count;
    }

    private <E> Iterator<E> find(
            String operator,
            Object[] names,
            ElementFilter filter,
            long wanted,
            Scalar kind,
            Function<StoredItem, Optional<? extends E>> element) {
        Set<ElementKey> keys = new LinkedHashSet<>();
        Set<String> bare = new LinkedHashSet<>();
        for (Object name : names) {
            addName(name, keys, bare);
        }
        boolean isNamed = names.length > 0;
        if (!isNamed && filter.ids().isPresent()) {
            bare.addAll(filter.ids().get());
            isNamed = true;
        }
        if (isNamed && canReadByKey(bare, filter)) {
            for (Value partition : partitions(filter)) {
                bare.forEach(id -> keys.add(new ElementKey(partition, id)));
            }
            bare.clear();
        }
        List<Iterator<E>> parts = new ArrayList<>();
        if (!keys.isEmpty()) {
            Map<ElementKey, StoredItem> found = store.readMany(operator, keys);
            List<E> elements = new ArrayList<>();
            for (ElementKey key : keys) {
                Optional.ofNullable(found.get(key)).flatMap(element).ifPresent(elements::add);
            }
            parts.add(elements.iterator());
        }
        if (!isNamed || !bare.isEmpty()) {
            List<Scalar> conditions = new ArrayList<>();
            conditions.add(kind);
            conditions.addAll(filter.all(schema()));
            if (!bare.isEmpty() && !filter.ids().equals(Optional.of(bare))) {
                conditions.add(
                        Conditions.inTexts(Conditions.property(GraphSchema.ID), bare.stream()));
            }
            parts.add(
                    elements(
                            store.pages(
                                    operator,
                                    scope(filter),
                                    Conditions.items(conditions),
                                    ElementFilter.page(wanted)),
                            element));
        }
        return new Concatenation<>(parts.iterator());
    }

    private boolean canReadByKey(Set<String> bare, ElementFilter filter) {
        Collection<Value> partitions = partitions(filter);
        return !bare.isEmpty()
                && (schema().partitionKey().isEmpty() || filter.partitions().isPresent())
                && (long) bare.size() * partitions.size() <= MAX_POINT_READS;
    }

    private Collection<Value> partitions(ElementFilter filter) {
        return schema().partitionKey().isEmpty()
                ? List.of(Value.Undefined.UNDEFINED)
                : filter.partitions().orElse(Set.of());
    }

    private static FeedScope scope(ElementFilter filter) {
        return filter.partitions().filter(some -> some.size() == 1).isPresent()
                ? new FeedScope.Key(
                        ElementKey.partitionKey(filter.partitions().get().iterator().next()))
                : new FeedScope.Everything();
    }

    private void addName(Object name, Set<ElementKey> keys, Set<String> bare) {
        switch (name) {
            case StoredElement element -> keys.add(element.key());
            case Element element -> bare.add(String.valueOf(element.id()));
            case List<?> list when list.isEmpty() -> {}
            case List<?> tuple -> keys.add(tuple(tuple));
            case null -> {}
            default -> bare.add(name.toString());
        }
    }

    private ElementKey tuple(List<?> tuple) {
        Optional<Value> partition =
                tuple.getFirst() == null ? Optional.empty() : GraphValues.find(tuple.getFirst());
        if (tuple.size() != 2 || partition.isEmpty() || tuple.get(1) == null) {
            throw refused(
                    "An id in brackets is [partition key value, id], and this one is "
                            + tuple
                            + ".");
        }
        if (schema().partitionKey().isEmpty()) {
            throw refused("The graph has no partition key, so that ids alone name its elements.");
        }
        return new ElementKey(partition.get(), tuple.get(1).toString());
    }

    private static <E> Iterator<E> elements(
            Iterator<List<Value>> pages, Function<StoredItem, Optional<? extends E>> element) {
        return new Concatenation<>(
                new Iterator<>() {
                    @Override
                    public boolean hasNext() {
                        return pages.hasNext();
                    }

                    @Override
                    public Iterator<E> next() {
                        List<E> found = new ArrayList<>();
                        for (Value row : pages.next()) {
                            if (row instanceof Value.Obj body) {
                                element.apply(new StoredItem(body)).ifPresent(found::add);
                            }
                        }
                        return found.iterator();
                    }
                });
    }

    /** Iterators one after the other, each made when it is its turn. */
    static final class Concatenation<E> implements Iterator<E> {
        private final Iterator<? extends Iterator<E>> parts;
        private Iterator<E> present = List.<E>of().iterator();

        Concatenation(Iterator<? extends Iterator<E>> parts) {
            this.parts = parts;
        }

        @Override
        public boolean hasNext() {
            while (!present.hasNext()) {
                if (!parts.hasNext()) {
                    return false;
                }
                present = parts.next();
            }
            return true;
        }

        @Override
        public E next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return present.next();
        }
    }

    // ---- Writes
    // ----------------------------------------------------------------------------------

    @Override
    public Vertex addVertex(Object... keyValues) {
        ElementHelper.legalPropertyKeyValueArray(keyValues);
        Optional<String> id = Optional.empty();
        String label = StoredVertex.DEFAULT_LABEL;
        Optional<Value> partition = Optional.empty();
        Map<String, Value> flat = new LinkedHashMap<>();
        Map<String, List<VertexDocument.Entry>> properties = new LinkedHashMap<>();
        for (int i = 0; i < keyValues.length; i += 2) {
            Object name = keyValues[i];
            Object value = keyValues[i + 1];
            if (isId(name)) {
                id = Optional.of(id(value, id));
            } else if (isLabel(name)) {
                label = label(value);
            } else if (schema().isPartitionKey((String) name)) {
                if (partition.isPresent()) {
                    throw refused(
                            "The partition key '"
                                    + name
                                    + "' is given twice: a vertex has one value of it.");
                }
                partition = Optional.of(partition((String) name, value));
            } else if (schema().isFlat((String) name)) {
                flat.put((String) name, flat((String) name, bare(value)));
            } else {
                add((String) name, value, properties);
            }
        }
        if (schema().partitionKey().isPresent() && partition.isEmpty()) {
            throw refused(
                    "Cannot add a vertex where the partition key property has value 'null'. Set it"
                            + " with property('"
                            + schema().partitionKey().get()
                            + "', value).");
        }
        Map<String, Value> body = new LinkedHashMap<>();
        body.put(GraphSchema.ID, Value.of(id.orElseGet(ids::next)));
        body.put(GraphSchema.LABEL, Value.of(label));
        partition.ifPresent(value -> body.put(schema().partitionKey().orElseThrow(), value));
        body.putAll(flat);
        Value.Obj item = new Value.Obj(body);
        for (Map.Entry<String, List<VertexDocument.Entry>> property : properties.entrySet()) {
            item = VertexDocument.with(item, property.getKey(), property.getValue());
        }
        StoredItem created = store.create(ADD_VERTEX, item);
        return new StoredVertex(this, created.key(schema()), created);
    }

    private static Value flat(String name, @Nullable Object value) {
        if (value == null) {
            throw noValue(name);
        }
        return GraphValues.stored(name, value);
    }

    private void add(
            String name, Object value, Map<String, List<VertexDocument.Entry>> properties) {
        checkName(name);
        Object bare = bare(value);
        ElementHelper.validateProperty(name, bare);
        if (bare == null) {
            throw noValue(name);
        }
        VertexProperty.Cardinality cardinality = VertexProperty.Cardinality.single;
        List<Object> meta = List.of();
        if (value instanceof NewValue given) {
            cardinality = given.cardinality();
            meta = given.meta();
        }
        properties.put(
                name,
                StoredVertex.joined(
                        properties.getOrDefault(name, List.of()),
                        entry(name, bare, meta),
                        cardinality));
    }

    private static @Nullable Object bare(@Nullable Object value) {
        return value instanceof NewValue given ? given.value() : value;
    }

    private Value partition(String name, Object value) {
        if (value instanceof NewValue(VertexProperty.Cardinality cardinality, _, List<Object> meta)
                && (cardinality == VertexProperty.Cardinality.list || !meta.isEmpty())) {
            throw refused(
                    "The partition key '"
                            + name
                            + "' has one value, without properties of its own.");
        }
        Object bare = bare(value);
        if (bare == null) {
            throw refused("Cannot add a vertex where the partition key property has value 'null'.");
        }
        return GraphValues.stored(name, bare);
    }

    /** Returns a value of a property with an id of its own. */
    VertexDocument.Entry entry(String name, Object value, List<Object> meta) {
        Map<String, Value> own = new LinkedHashMap<>();
        String id = ids.next();
        for (int i = 0; i < meta.size(); i += 2) {
            if (isId(meta.get(i))) {
                if (!(meta.get(i + 1) instanceof String text)) {
                    throw notAnId(meta.get(i + 1));
                }
                id = text;
            } else {
                String key = (String) meta.get(i);
                own.put(key, GraphValues.stored(key, meta.get(i + 1)));
            }
        }
        return new VertexDocument.Entry(id, GraphValues.stored(name, value), own);
    }

    StoredEdge addEdge(StoredVertex source, StoredVertex sink, String label, Object... keyValues) {
        ElementHelper.validateLabel(label);
        ElementHelper.legalPropertyKeyValueArray(keyValues);
        // Both ends must be there. What the traversal has read is not read again.
        source.present();
        sink.present();
        Optional<String> id = Optional.empty();
        Map<String, Value> properties = new LinkedHashMap<>();
        for (int i = 0; i < keyValues.length; i += 2) {
            Object name = keyValues[i];
            Object value = bare(keyValues[i + 1]);
            if (isId(name)) {
                id = Optional.of(id(value, id));
            } else if (!isLabel(name)) {
                properties.put((String) name, edgeValue((String) name, value));
            }
        }
        Map<String, Value> body = new LinkedHashMap<>();
        body.put(GraphSchema.ID, Value.of(id.orElseGet(ids::next)));
        body.put(GraphSchema.LABEL, Value.of(label));
        body.put(GraphSchema.IS_EDGE, Value.of(true));
        body.put(GraphSchema.SOURCE, Value.of(source.key().id()));
        body.put(GraphSchema.SOURCE_LABEL, Value.of(source.label()));
        body.put(GraphSchema.SINK, Value.of(sink.key().id()));
        body.put(GraphSchema.SINK_LABEL, Value.of(sink.label()));
        if (sink.key().partition().isDefined()) {
            body.put(GraphSchema.SINK_PARTITION, sink.key().partition());
        }
        if (source.key().partition().isDefined()) {
            body.put(schema().partitionKey().orElseThrow(), source.key().partition());
        }
        body.putAll(properties);
        return new StoredEdge(this, store.create(ADD_EDGE, new Value.Obj(body)));
    }

    private Value edgeValue(String name, @Nullable Object value) {
        checkName(name);
        ElementHelper.validateProperty(name, value);
        if (schema().isPartitionKey(name)) {
            throw refused(
                    "The property '"
                            + name
                            + "' of an edge is that of its source, where the edge is kept; it is"
                            + " not given to addE().");
        }
        if (value == null) {
            throw noValue(name);
        }
        return GraphValues.stored(name, value);
    }

    static GraphException noValue(String name) {
        return refused("The property '" + name + "' has no value: null is none.");
    }

    private static boolean isId(Object name) {
        return name == T.id || GraphSchema.ID.equals(name);
    }

    private static boolean isLabel(Object name) {
        return name == T.label || GraphSchema.LABEL.equals(name);
    }

    private static String id(@Nullable Object given, Optional<String> before) {
        if (!(bare(given) instanceof String text)) {
            throw notAnId(bare(given));
        }
        if (before.isPresent()) {
            throw refused("The id of an element is given twice.");
        }
        return text;
    }

    /** The failure that TinkerPop's graphs have for an id of another type. */
    private static UnsupportedOperationException notAnId(@Nullable Object given) {
        return new UnsupportedOperationException(
                "The id of an element is a text, and " + given + " is none.");
    }

    private static String label(@Nullable Object given) {
        if (bare(given) == null) {
            throw Element.Exceptions.labelCanNotBeNull();
        }
        if (!(bare(given) instanceof String text)) {
            throw refused("The label of an element is a text.");
        }
        ElementHelper.validateLabel(text);
        return text;
    }

    /** Throws for a name that the items of the graph have for something else. */
    static void checkName(String name) {
        if (GraphSchema.isReserved(name)) {
            throw refused("The name '" + name + "' is one of the service's own.");
        }
    }

    private static GraphException refused(String message) {
        return new GraphException(GraphException.Fault.EXECUTION, message);
    }

    /** The vertex as one of this graph, which is read when somebody asks for more than its name. */
    public StoredVertex adopt(Vertex vertex) {
        if (vertex instanceof StoredVertex ours) {
            return ours;
        }
        Iterator<Vertex> found = vertices(vertex.id());
        if (!found.hasNext()) {
            throw refused("The vertex '" + vertex.id() + "' is not in the graph.");
        }
        return (StoredVertex) found.next();
    }

    void remove(StoredEdge edge) {
        store.delete(edge.key(), condition(edge));
    }

    void remove(StoredVertex vertex) {
        removeEdges(List.of(vertex));
        store.delete(vertex.key(), condition(vertex));
        removeEdges(List.of(vertex));
    }

    /**
     * Removes elements, vertices with their edges. The edges go first: if this ends early, the
     * vertices are there with fewer of them, and can be dropped again. Edges that were added
     * meanwhile go last.
     */
    public void removeAll(Collection<? extends Element> elements) {
        List<StoredVertex> vertices = new ArrayList<>();
        List<ElementKey> edges = new ArrayList<>();
        for (Element element : elements) {
            switch (element) {
                case StoredVertex vertex when !vertex.isVersionNamed() && !vertex.isRemoved ->
                        vertices.add(vertex);
                case StoredEdge edge when !edge.isVersionNamed() && !edge.isRemoved ->
                        edges.add(edge.key());
                default -> element.remove();
            }
        }
        store.deleteAll(edges.stream().distinct().toList());
        if (!vertices.isEmpty()) {
            removeEdges(vertices);
            store.deleteAll(vertices.stream().map(StoredVertex::key).distinct().toList());
            removeEdges(vertices);
        }
        for (Element element : elements) {
            if (element instanceof StoredElement ours) {
                ours.isRemoved = true;
            }
        }
    }

    private void removeEdges(List<StoredVertex> vertices) {
        adjacency.incident(vertices).forEachRemaining(store::deleteAll);
    }

    private static Precondition condition(StoredElement element) {
        return element.isVersionNamed()
                ? new Precondition.Matches(element.present().etag())
                : Precondition.NONE;
    }

    // ---- The rest of the interface
    // ---------------------------------------------------------------

    @Override
    public Features features() {
        return FEATURES;
    }

    @Override
    public <C extends GraphComputer> C compute(Class<C> graphComputerClass) {
        throw Graph.Exceptions.graphComputerNotSupported();
    }

    @Override
    public GraphComputer compute() {
        throw Graph.Exceptions.graphComputerNotSupported();
    }

    @Override
    public Transaction tx() {
        throw Graph.Exceptions.transactionsNotSupported();
    }

    @Override
    public Variables variables() {
        throw Graph.Exceptions.variablesNotSupported();
    }

    @Override
    public Configuration configuration() {
        return new BaseConfiguration();
    }

    /** Holds nothing: the request that it was made for ends by itself. */
    @Override
    public void close() {}

    @Override
    public String toString() {
        return StringFactory.graphString(this, schema().partitionKeys().toString());
    }
}
