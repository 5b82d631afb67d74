package orrery.gateway.api;

import orrery.model.ResourceId;
import orrery.model.RowKey;

/**
 * An item as a request names it: by its row key within a logical partition, or by its rid. The
 * front-end makes the key from whatever its clients write.
 */
public sealed interface ItemRef {
    record Named(RowKey key) implements ItemRef {
        /** Names an item whose key is a text, in an API where any text may be one. */
        public Named(String text) {
            this(RowKey.ofText(text));
        }
    }

    record Identified(ResourceId rid) implements ItemRef {}
}
