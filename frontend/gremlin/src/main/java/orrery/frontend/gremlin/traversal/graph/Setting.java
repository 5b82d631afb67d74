package orrery.frontend.gremlin.traversal.graph;

import java.util.List;
import java.util.Optional;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.jspecify.annotations.Nullable;

/**
 * What one property() call sets.
 *
 * @param cardinality absent for the usual one
 * @param meta names and values of the property's own properties, in turn
 */
public record Setting(
        Optional<VertexProperty.Cardinality> cardinality,
        String name,
        @Nullable Object value,
        List<Object> meta) {
    public Setting {
        meta = List.copyOf(meta);
    }
}
