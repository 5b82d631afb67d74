package orrery.tests.gremlin;

import java.util.EnumSet;
import java.util.Set;
import org.apache.tinkerpop.gremlin.LoadGraphWith.GraphData;
import org.apache.tinkerpop.gremlin.features.World;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.jspecify.annotations.Nullable;
import orrery.frontend.gremlin.traversal.step.GraphStrategies;

/** Gives scenarios their graphs. Those with data are only read, and loaded once. */
final class ContainerWorld implements World {
    private static final String EMPTY = "scenario";

    private final Set<GraphData> loaded = EnumSet.noneOf(GraphData.class);

    @Override
    public GraphTraversalSource getGraphTraversalSource(@Nullable GraphData data) {
        if (data == null) {
            Containers.clear(EMPTY);
            return GraphStrategies.source(Containers.open(EMPTY));
        }
        String name = "scenarios-" + data;
        if (!loaded.contains(data)) {
            Datasets.load(data, () -> Containers.open(name));
            loaded.add(data);
        }
        return GraphStrategies.source(Containers.open(name));
    }

    /** Ids are texts, which a script has in quotes. */
    @Override
    public String convertIdToScript(Object id, Class<? extends Element> type) {
        return "\"" + id + "\"";
    }
}
