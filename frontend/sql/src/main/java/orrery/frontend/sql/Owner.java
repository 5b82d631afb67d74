package orrery.frontend.sql;

import orrery.model.ResourceId;

/** The parent of a resource: the rid, and the path by names, such as {@code dbs/db1/colls/c1}. */
record Owner(ResourceId rid, String path) {}
