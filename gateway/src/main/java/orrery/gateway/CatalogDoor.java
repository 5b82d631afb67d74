package orrery.gateway;

import orrery.cluster.api.Catalog;
import orrery.model.RequestContext;

/**
 * The way of requests about databases and what lies in them, other than containers: who asks is
 * checked, the request is counted, and then the catalog is asked.
 */
record CatalogDoor(
        Catalog catalog,
        Resolver resolver,
        Doorkeeper door,
        ResourcePages pages,
        ServiceQuotas quotas) {
    void admit(RequestContext context, Action action) {
        door.check(context, action);
        quotas.countMetadata(catalog.settings());
    }
}
