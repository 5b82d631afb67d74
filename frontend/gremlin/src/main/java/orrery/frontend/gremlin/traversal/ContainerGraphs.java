package orrery.frontend.gremlin.traversal;

import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.tinkerpop.gremlin.jsr223.JavaTranslator;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import orrery.frontend.gremlin.traversal.graph.ContainerGraph;
import orrery.frontend.gremlin.traversal.graph.GraphIds;
import orrery.frontend.gremlin.traversal.graph.GraphMemory;
import orrery.frontend.gremlin.traversal.graph.GraphMeter;
import orrery.frontend.gremlin.traversal.graph.GraphStore;
import orrery.frontend.gremlin.traversal.script.Script;
import orrery.frontend.gremlin.traversal.script.TraversalRules;
import orrery.frontend.gremlin.traversal.step.GraphStrategies;
import orrery.gateway.api.ContainerRef;
import orrery.gateway.api.Items;
import orrery.model.RequestContext;

/** Runs traversals over the items of containers. Thread-safe. */
public final class ContainerGraphs implements Graphs {
    /** The service's limit. A node that has less gives a request less. */
    private static final long MEMORY_LIMIT = 2L << 30;

    private final Items items;
    private final GraphIds ids;
    private final long memoryLimit;

    /**
     * @param random for ids of elements that come without one
     */
    public ContainerGraphs(Items items, SecureRandom random) {
        this(items, random, MEMORY_LIMIT);
    }

    /**
     * @param memoryLimit the bytes that one traversal may gather, where the node has no closer
     *     limit
     */
    ContainerGraphs(Items items, SecureRandom random, long memoryLimit) {
        this.items = items;
        this.ids = new GraphIds(random);
        this.memoryLimit = memoryLimit;
    }

    @Override
    public GraphRun run(RequestContext context, ContainerRef.Resolved graph, GraphRequest request) {
        return switch (request) {
            case GraphRequest.Script(String text, Map<String, Object> bindings) ->
                    script(context, graph, text, bindings);
            case GraphRequest.Compiled(Bytecode bytecode) -> compiled(context, graph, bytecode);
        };
    }

    private GraphRun script(
            RequestContext context,
            ContainerRef.Resolved container,
            String text,
            Map<String, Object> bindings) {
        Script script = Script.parse(text, bindings);
        GraphMeter meter = new GraphMeter(script.isProfiled());
        GraphStore store = new GraphStore(items, context, container, meter);
        GraphMemory memory = new GraphMemory(memoryLimit);
        GraphTraversalSource source =
                GraphStrategies.source(
                        new ContainerGraph(store, ids, script.systemProperties(), memory));
        TraversalRun run =
                new TraversalRun(store, meter, memory, script.statements(source, bindings), false);
        return script.isProfiled() ? new ProfiledRun(run, meter, text) : run;
    }

    private GraphRun compiled(
            RequestContext context, ContainerRef.Resolved container, Bytecode bytecode) {
        Bytecode checked = TraversalRules.checked(bytecode);
        GraphMeter meter = new GraphMeter(false);
        GraphStore store = new GraphStore(items, context, container, meter);
        GraphMemory memory = new GraphMemory(memoryLimit);
        GraphTraversalSource source =
                GraphStrategies.source(new ContainerGraph(store, ids, Set.of(), memory));
        Traversal.Admin<?, ?> traversal = translate(source, checked);
        TraversalRules.check(traversal);
        return new TraversalRun(
                store,
                meter,
                memory,
                List.of(new Script.Statement(traversal, new Script.Wanted.All())),
                true);
    }

    private static Traversal.Admin<?, ?> translate(GraphTraversalSource source, Bytecode bytecode) {
        try {
            return JavaTranslator.of(source).translate(bytecode);
        } catch (RuntimeException refused) {
            throw new GraphException(
                    GraphException.Fault.COMPILE,
                    Optional.ofNullable(refused.getMessage()).orElse("It is no traversal."));
        }
    }
}
