package orrery.frontend.sql;

import orrery.model.ResourceId;

/** What a resource lies in: the rid, and the path by names, as {@code dbs/db1/colls/c1}. */
record Owner(ResourceId rid, String path) {}
