package orrery.tests.gremlin;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.AbstractGraphProvider;
import org.apache.tinkerpop.gremlin.LoadGraphWith;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Graph;
import orrery.frontend.gremlin.traversal.graph.ContainerGraph;

/** Gives the suites graphs in containers. */
public final class ContainerGraphProvider extends AbstractGraphProvider {
    private static final String NAME = "orrery.graph";

    private final Map<Graph, String> names = new WeakHashMap<>();

    @Override
    public Map<String, Object> getBaseConfiguration(
            String graphName, Class<?> test, String method, LoadGraphWith.GraphData data) {
        return Map.of(Graph.GRAPH, ContainerGraph.class.getName(), NAME, graphName);
    }

    @Override
    public Graph openTestGraph(Configuration configuration) {
        String name = configuration.getString(NAME);
        Graph graph = Containers.open(name);
        names.put(graph, name);
        return graph;
    }

    @Override
    public void clear(Graph graph, Configuration configuration) {
        if (configuration != null && configuration.containsKey(NAME)) {
            Containers.clear(configuration.getString(NAME));
        }
    }

    @Override
    @SuppressWarnings("rawtypes") // As the interface has it.
    public void loadGraphData(Graph graph, LoadGraphWith data, Class test, String method) {
        if (data != null) {
            String name = Objects.requireNonNull(names.get(graph));
            Datasets.load(data.value(), () -> Containers.open(name));
        }
    }

    @Override
    public Object convertId(Object id, Class<? extends Element> type) {
        return id.toString();
    }

    @Override
    @SuppressWarnings("rawtypes") // As the interface has it.
    public Set<Class> getImplementations() {
        return Set.of(ContainerGraph.class);
    }
}
