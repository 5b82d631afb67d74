package orrery.gateway;

import java.util.Optional;
import orrery.model.ResourceId;

/**
 * A container as a request names it.
 *
 * @param intended the rid the client believes the container to have; another one is answered with
 *     {@code WRONG_CONTAINER_RID}, so that the client refreshes what it has cached
 */
public record ContainerRef(
        ResourceRef database, ResourceRef container, Optional<ResourceId> intended) {}
