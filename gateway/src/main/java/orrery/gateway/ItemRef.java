package orrery.gateway;

import orrery.model.ResourceId;

/** An item as a request names it: by its id within a logical partition, or by its rid. */
public sealed interface ItemRef {
    record Named(String id) implements ItemRef {}

    record Identified(ResourceId rid) implements ItemRef {}
}
