package orrery.frontend.gremlin.traversal;

import orrery.gateway.api.ContainerRef;
import orrery.model.RequestContext;

/** Runs what clients ask of graphs. */
public interface Graphs {
    /**
     * Compiles a request and begins to run it.
     *
     * @param graph the container that the connection is bound to, found for this request
     */
    GraphRun run(RequestContext context, ContainerRef.Resolved graph, GraphRequest request);
}
