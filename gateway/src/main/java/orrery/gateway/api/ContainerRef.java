package orrery.gateway.api;

import java.util.Optional;
import java.util.OptionalInt;
import orrery.model.ResourceId;

/**
 * A container as a request names it.
 *
 * @param intended the rid the client believes the container to have; another one is answered with
 *     {@code WRONG_CONTAINER_RID}, so that the client refreshes what it has cached
 * @param range the physical partition the client believes to exist; one that has been split or
 *     merged away is answered with {@code RANGE_GONE}, for the same reason. Where the items are is
 *     decided by their keys: a range that exists but does not own a key is no fault.
 */
public record ContainerRef(
        ResourceRef database,
        ResourceRef container,
        Optional<ResourceId> intended,
        OptionalInt range) {
    public ContainerRef(
            ResourceRef database, ResourceRef container, Optional<ResourceId> intended) {
        this(database, container, intended, OptionalInt.empty());
    }

    public ContainerRef withRange(OptionalInt believed) {
        return new ContainerRef(database, container, intended, believed);
    }
}
