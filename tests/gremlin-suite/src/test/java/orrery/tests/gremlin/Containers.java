package orrery.tests.gremlin;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import orrery.frontend.gremlin.traversal.graph.ContainerGraph;
import orrery.frontend.gremlin.traversal.graph.GraphIds;
import orrery.frontend.gremlin.traversal.graph.GraphMemory;
import orrery.frontend.gremlin.traversal.graph.GraphMeter;
import orrery.frontend.gremlin.traversal.graph.GraphStore;
import orrery.frontend.gremlin.traversal.step.GraphStrategies;
import orrery.gateway.EngineFixture;
import orrery.gateway.api.ContainerRef;
import orrery.model.KeyComponent;
import orrery.model.PartitionKey;

/**
 * Containers by name, each with one graph. They have no partition key: the suites know of none, and
 * every vertex would show a property that no test expects.
 */
final class Containers {
    /** The service's limit of a traversal. */
    private static final long MEMORY = 2L << 30;

    private static final EngineFixture ENGINE =
            new EngineFixture(
                    Path.of(
                            System.getProperty("build.dir"),
                            "graphs-" + ProcessHandle.current().pid()));

    private static final GraphIds IDS = new GraphIds(new SecureRandom());
    private static final ConcurrentMap<String, ContainerRef.Addressed> KNOWN =
            new ConcurrentHashMap<>();

    static {
        // For the sources that a test makes by itself.
        GraphStrategies.register();
        Runtime.getRuntime().addShutdownHook(new Thread(ENGINE::close));
    }

    private Containers() {}

    private static ContainerRef.Addressed container(String name) {
        return KNOWN.computeIfAbsent(name, _ -> ENGINE.container("c" + KNOWN.size(), 400));
    }

    /** Opens the graph as a request would. */
    static ContainerGraph open(String name) {
        ContainerRef.Resolved resolved =
                ENGINE.engine
                        .resources()
                        .resolve(EngineFixture.context(), container(name), ContainerRef.Role.OWNER);
        return new ContainerGraph(
                new GraphStore(
                        ENGINE.engine.items(),
                        EngineFixture.context(),
                        resolved,
                        new GraphMeter(false)),
                IDS,
                Set.of(),
                new GraphMemory(MEMORY));
    }

    static void clear(String name) {
        ENGINE.engine
                .items()
                .deleteItems(
                        EngineFixture.context(),
                        container(name),
                        PartitionKey.of(KeyComponent.UNDEFINED));
    }
}
