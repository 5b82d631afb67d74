package orrery.frontend.gremlin.traversal;

import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;

/** A request of a client about its graph. */
public sealed interface GraphRequest {
    /**
     * A script of the Gremlin language.
     *
     * @param bindings the values of its variables
     */
    record Script(String text, Map<String, Object> bindings) implements GraphRequest {}

    /** A traversal that the client has compiled; its results are traversers with their bulk. */
    record Compiled(Bytecode bytecode) implements GraphRequest {}
}
