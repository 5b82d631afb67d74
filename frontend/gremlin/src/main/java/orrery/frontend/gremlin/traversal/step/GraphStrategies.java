package orrery.frontend.gremlin.traversal.step;

import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategies;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Graph;
import orrery.frontend.gremlin.traversal.graph.ContainerGraph;

/** The strategies of traversals over containers: TinkerPop's own, and then ours. */
public final class GraphStrategies {
    private static final TraversalStrategies ALL =
            TraversalStrategies.GlobalCache.getStrategies(Graph.class)
                    .clone()
                    .addStrategies(
                            CreationStrategy.INSTANCE,
                            SourceStrategy.INSTANCE,
                            AdjacencyStrategy.INSTANCE,
                            RemovalStrategy.INSTANCE,
                            GatheringStrategy.INSTANCE,
                            SameElementStrategy.INSTANCE,
                            IterationLimitStrategy.INSTANCE);

    private GraphStrategies() {}

    /** Gives them to whoever makes a source of a graph by TinkerPop's own ways. */
    public static void register() {
        TraversalStrategies.GlobalCache.registerStrategies(ContainerGraph.class, ALL);
    }

    public static GraphTraversalSource source(ContainerGraph graph) {
        return new GraphTraversalSource(graph, ALL);
    }
}
