package orrery.tests.gremlin;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.tinkerpop.gremlin.LoadGraphWith.GraphData;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerFactory;
import orrery.frontend.gremlin.traversal.graph.NewValue;

/** The graphs that the suites know. Their ids are numbers, and ours the same digits. */
final class Datasets {
    /** Each waits for the disk, so that many at once share what it takes. */
    private static final int WRITERS = 32;

    private Datasets() {}

    /**
     * @param graphs opens the graph again, for each of those who write it at once
     */
    static void load(GraphData data, Supplier<? extends Graph> graphs) {
        Graph from =
                switch (data) {
                    case CLASSIC -> TinkerFactory.createClassic();
                    case MODERN -> TinkerFactory.createModern();
                    case CREW -> TinkerFactory.createTheCrew();
                    case GRATEFUL -> TinkerFactory.createGratefulDead();
                    case SINK -> TinkerFactory.createKitchenSink();
                };
        Map<Object, Vertex> copies = new ConcurrentHashMap<>();
        List<List<Vertex>> shares = shares(from.vertices());
        atOnce(
                shares,
                share -> {
                    Graph to = graphs.get();
                    share.forEach(vertex -> copies.put(vertex.id(), copy(vertex, to)));
                });
        atOnce(
                shares,
                share ->
                        share.forEach(
                                vertex ->
                                        vertex.edges(Direction.OUT)
                                                .forEachRemaining(edge -> copy(edge, copies))));
    }

    private static List<List<Vertex>> shares(Iterator<Vertex> all) {
        List<List<Vertex>> shares = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            shares.add(new ArrayList<>());
        }
        for (int i = 0; all.hasNext(); i++) {
            shares.get(i % WRITERS).add(all.next());
        }
        return shares;
    }

    private static void atOnce(List<List<Vertex>> shares, Consumer<List<Vertex>> work) {
        List<Throwable> failures = new ArrayList<>();
        List<Thread> writers =
                shares.stream()
                        .map(
                                share ->
                                        Thread.ofVirtual()
                                                .uncaughtExceptionHandler(
                                                        (_, failure) -> note(failure, failures))
                                                .start(() -> work.accept(share)))
                        .toList();
        try {
            for (Thread writer : writers) {
                writer.join();
            }
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
        if (!failures.isEmpty()) {
            throw new IllegalStateException("A graph is not loaded.", failures.getFirst());
        }
    }

    private static void note(Throwable failure, List<Throwable> failures) {
        synchronized (failures) {
            failures.add(failure);
        }
    }

    private static Vertex copy(Vertex vertex, Graph to) {
        List<Object> words = new ArrayList<>();
        words.addAll(List.of(T.id, vertex.id().toString(), T.label, vertex.label()));
        vertex.properties()
                .forEachRemaining(
                        property -> {
                            words.add(property.key());
                            words.add(
                                    new NewValue(
                                            VertexProperty.Cardinality.list,
                                            property.value(),
                                            words(property.properties())));
                        });
        return to.addVertex(words.toArray());
    }

    private static void copy(Edge edge, Map<Object, Vertex> copies) {
        List<Object> words = new ArrayList<>();
        words.add(T.id);
        // Vertices and edges share their ids here, and in TinkerPop they do not.
        words.add((copies.containsKey(edge.id()) ? "e" : "") + edge.id());
        words.addAll(words(edge.properties()));
        Objects.requireNonNull(copies.get(edge.outVertex().id()))
                .addEdge(
                        edge.label(),
                        Objects.requireNonNull(copies.get(edge.inVertex().id())),
                        words.toArray());
    }

    private static List<Object> words(Iterator<? extends Property<?>> properties) {
        List<Object> words = new ArrayList<>();
        properties.forEachRemaining(
                property -> {
                    words.add(property.key());
                    words.add(property.value());
                });
        return words;
    }
}
