package orrery.frontend.gremlin.traversal.graph;

import java.util.List;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;

/**
 * The value of a property of a vertex that is being made, with what only a step of its own could
 * say otherwise.
 *
 * @param meta names and values of its own properties, in turn
 */
public record NewValue(VertexProperty.Cardinality cardinality, Object value, List<Object> meta) {
    public NewValue {
        meta = List.copyOf(meta);
    }
}
