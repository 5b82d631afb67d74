package orrery.frontend.sql;

import orrery.model.ResourceId;

/** The {@code _self} links of resources: paths of rids that end with a slash. */
final class Links {
    private Links() {}

    static String database(ResourceId rid) {
        return "dbs/" + rid + "/";
    }

    /** Also of anything below a container, whose rid begins with the container's. */
    static String container(ResourceId rid) {
        int database = rid.database().orElseThrow();
        ResourceId owner = ResourceId.ofContainer(database, rid.container().orElseThrow());
        return database(ResourceId.ofDatabase(database)) + "colls/" + owner + "/";
    }

    static String offer(ResourceId rid) {
        return "offers/" + rid + "/";
    }

    /** Of whatever has throughput. */
    static String ofResource(ResourceId rid) {
        return rid.isDatabase() ? database(rid) : container(rid);
    }
}
