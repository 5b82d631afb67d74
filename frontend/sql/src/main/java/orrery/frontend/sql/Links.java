package orrery.frontend.sql;

import orrery.model.ResourceId;

/** The {@code _self} links of what has throughput, and of the offers that say how much. */
final class Links {
    private Links() {}

    static String offer(ResourceId rid) {
        return rid.link();
    }

    static String ofResource(ResourceId rid) {
        return rid.link();
    }
}
