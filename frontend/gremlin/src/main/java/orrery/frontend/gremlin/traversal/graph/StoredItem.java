package orrery.frontend.gremlin.traversal.graph;

import java.util.Optional;
import orrery.document.Value;
import orrery.model.Etag;

/**
 * A version of an item.
 *
 * @param body with the properties of the service
 */
record StoredItem(Value.Obj body) {
    Etag etag() {
        return Optional.of(GraphSchema.text(body, GraphSchema.ETAG, ""))
                .flatMap(Etag::parse)
                .orElseThrow(() -> new IllegalStateException("an item without an etag"));
    }

    String id() {
        return GraphSchema.text(body, GraphSchema.ID, "");
    }

    ElementKey key(GraphSchema schema) {
        return new ElementKey(schema.partition(body), id());
    }
}
