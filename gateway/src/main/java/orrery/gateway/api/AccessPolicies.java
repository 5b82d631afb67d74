package orrery.gateway.api;

import java.util.Optional;
import orrery.model.resource.StoredAccessPolicy;

/** Finds the policies that shared access signatures name. Answers from memory. */
@FunctionalInterface
public interface AccessPolicies {
    /**
     * @param table in letters of either case, because signatures have only lower ones
     */
    Optional<StoredAccessPolicy> find(String table, String id);
}
