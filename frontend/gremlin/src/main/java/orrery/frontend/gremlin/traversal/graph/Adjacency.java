package orrery.frontend.gremlin.traversal.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import orrery.document.Value;
import orrery.gateway.api.FeedScope;
import orrery.query.syntax.Scalar;

/**
 * Follows edges from many vertices at once: one query for those that begin at them, one for those
 * that end. Edges come a page at a time, and the vertices behind a page are read together.
 */
public final class Adjacency {
    private final ContainerGraph graph;

    Adjacency(ContainerGraph graph) {
        this.graph = graph;
    }

    /**
     * An edge, and which of the vertices it was found at.
     *
     * @param far the vertex at its other end
     */
    public record Step(StoredVertex near, StoredEdge edge, StoredVertex far) {}

    /**
     * Finds the edges of vertices.
     *
     * @param direction to follow; not BOTH
     * @param labels of which an edge has one; none for any
     * @param filter of edges
     * @param wanted how many are wanted, as far as it is known
     */
    public Iterator<List<Step>> steps(
            Collection<StoredVertex> vertices,
            Direction direction,
            String[] labels,
            ElementFilter filter,
            long wanted) {
        Set<ElementKey> keys = new LinkedHashSet<>();
        vertices.forEach(vertex -> keys.add(vertex.key()));
        boolean isOut = direction == Direction.OUT;
        FeedScope scope = isOut ? scope(keys) : new FeedScope.Everything();
        // The engine counts only a few entries of each condition. A condition that most edges meet,
        // such as their label, could lead the search if it stood apart: all is asked with the id.
        List<Scalar> all = new ArrayList<>();
        all.add(Conditions.any(keys.stream().map(key -> end(key, isOut, scope, labels)).toList()));
        all.addAll(filter.all(graph.schema()));
        Iterator<List<Value>> pages =
                graph.store()
                        .pages(
                                ContainerGraph.GET_EDGES,
                                scope,
                                Conditions.items(all),
                                ElementFilter.page(wanted));
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return pages.hasNext();
            }

            @Override
            public List<Step> next() {
                List<Step> steps = new ArrayList<>();
                for (Value row : pages.next()) {
                    if (row instanceof Value.Obj body && GraphSchema.isEdge(body)) {
                        StoredEdge edge = new StoredEdge(graph, new StoredItem(body));
                        StoredVertex near = isOut ? edge.source() : edge.sink();
                        // Ids of one partition may be those of another.
                        if (keys.contains(near.key())) {
                            steps.add(new Step(near, edge, isOut ? edge.sink() : edge.source()));
                        }
                    }
                }
                return steps;
            }
        };
    }

    /** Edges are kept with their source, those of one partition all in it. */
    private FeedScope scope(Set<ElementKey> sources) {
        Set<Value> partitions = new LinkedHashSet<>();
        sources.forEach(key -> partitions.add(key.partition()));
        return graph.schema().partitionKey().isPresent() && partitions.size() == 1
                ? new FeedScope.Key(ElementKey.partitionKey(partitions.iterator().next()))
                : new FeedScope.Everything();
    }

    /** Holds for the edges of a vertex. No vertex has the names of ends. */
    private Scalar end(ElementKey key, boolean isOut, FeedScope scope, String[] labels) {
        List<Scalar> conditions = new ArrayList<>();
        conditions.add(
                Conditions.equal(
                        Conditions.property(isOut ? GraphSchema.SOURCE : GraphSchema.SINK),
                        Value.of(key.id())));
        if (scope instanceof FeedScope.Everything && key.partition().isDefined()) {
            conditions.add(
                    Conditions.equal(
                            Conditions.property(
                                    isOut
                                            ? graph.schema().partitionKey().orElseThrow()
                                            : GraphSchema.SINK_PARTITION),
                            key.partition()));
        }
        if (labels.length > 0) {
            conditions.add(
                    Conditions.inTexts(
                            Conditions.property(GraphSchema.LABEL), Arrays.stream(labels)));
        }
        return Conditions.all(conditions);
    }

    /** Reads the vertices at the far ends, and returns the steps to those that are there. */
    public List<Step> read(List<Step> steps) {
        load(steps.stream().map(Step::far).toList());
        return steps.stream().filter(step -> step.far().isThere()).toList();
    }

    /** Reads what is not known yet of some vertices, all together. */
    public void load(Collection<StoredVertex> vertices) {
        List<ElementKey> unknown =
                vertices.stream().filter(StoredVertex::isUnknown).map(StoredVertex::key).toList();
        if (unknown.isEmpty()) {
            return;
        }
        Map<ElementKey, StoredItem> found =
                graph.store().readMany(ContainerGraph.GET_NEIGHBORS, unknown);
        vertices.stream()
                .filter(StoredVertex::isUnknown)
                .forEach(vertex -> vertex.arrive(found.get(vertex.key())));
    }

    Iterator<Edge> edges(StoredVertex vertex, Direction direction, String... labels) {
        return new ContainerGraph.Concatenation<>(
                directions(direction)
                        .<Iterator<Edge>>map(
                                each ->
                                        flat(
                                                steps(
                                                        List.of(vertex),
                                                        each,
                                                        labels,
                                                        graph.filter(true, List.of()),
                                                        Long.MAX_VALUE),
                                                steps ->
                                                        steps.stream()
                                                                .<Edge>map(Step::edge)
                                                                .toList()))
                        .iterator());
    }

    Iterator<Vertex> vertices(StoredVertex vertex, Direction direction, String... labels) {
        return new ContainerGraph.Concatenation<>(
                directions(direction)
                        .<Iterator<Vertex>>map(
                                each ->
                                        flat(
                                                steps(
                                                        List.of(vertex),
                                                        each,
                                                        labels,
                                                        graph.filter(true, List.of()),
                                                        Long.MAX_VALUE),
                                                steps ->
                                                        read(steps).stream()
                                                                .<Vertex>map(Step::far)
                                                                .toList()))
                        .iterator());
    }

    /**
     * Finds all edges that begin or end at some vertices, by one query. One that does both comes
     * once.
     */
    Iterator<List<ElementKey>> incident(Collection<StoredVertex> vertices) {
        Set<ElementKey> keys = new LinkedHashSet<>();
        vertices.forEach(vertex -> keys.add(vertex.key()));
        List<Scalar> conditions =
                List.of(
                        Conditions.any(
                                Stream.of(GraphSchema.SOURCE, GraphSchema.SINK)
                                        .map(
                                                end ->
                                                        Conditions.inTexts(
                                                                Conditions.property(end),
                                                                keys.stream().map(ElementKey::id)))
                                        .toList()));
        Iterator<List<Value>> pages =
                graph.store()
                        .pages(
                                ContainerGraph.GET_EDGES,
                                new FeedScope.Everything(),
                                Conditions.items(conditions),
                                OptionalInt.empty());
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return pages.hasNext();
            }

            @Override
            public List<ElementKey> next() {
                List<ElementKey> edges = new ArrayList<>();
                for (Value row : pages.next()) {
                    if (row instanceof Value.Obj body && GraphSchema.isEdge(body)) {
                        StoredEdge edge = new StoredEdge(graph, new StoredItem(body));
                        if (keys.contains(edge.source().key())
                                || keys.contains(edge.sink().key())) {
                            edges.add(edge.key());
                        }
                    }
                }
                return edges;
            }
        };
    }

    private static Stream<Direction> directions(Direction direction) {
        return direction == Direction.BOTH
                ? Stream.of(Direction.OUT, Direction.IN)
                : Stream.of(direction);
    }

    private static <P, E> Iterator<E> flat(Iterator<P> pages, Function<P, List<E>> elements) {
        return new ContainerGraph.Concatenation<>(
                new Iterator<Iterator<E>>() {
                    @Override
                    public boolean hasNext() {
                        return pages.hasNext();
                    }

                    @Override
                    public Iterator<E> next() {
                        return elements.apply(pages.next()).iterator();
                    }
                });
    }
}
