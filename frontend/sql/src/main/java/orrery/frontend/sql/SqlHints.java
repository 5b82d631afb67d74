package orrery.frontend.sql;

import java.util.Optional;
import java.util.OptionalInt;
import orrery.gateway.api.ContainerRef;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.ResourceId;

/**
 * Facts that an SDK has cached and believes. Only SDKs of this API send them, so they are held
 * against what the door has found and do not pass it.
 *
 * @param container the rid the client believes the container to have
 * @param range the physical partition the client believes to exist. Where the items are is decided
 *     by their keys: a range that exists but does not own a key is no fault.
 */
record SqlHints(Optional<ResourceId> container, OptionalInt range) {
    /** Throws where the name belongs to another container by now, so that the client looks anew. */
    void checkContainer(ContainerRef.Resolved found) {
        if (container.isPresent() && !container.get().equals(found.container().rid())) {
            throw new OrreryException(
                    ErrorCode.WRONG_CONTAINER_RID,
                    "The container has another rid than the request expects: it was deleted and"
                            + " created anew. Refresh the container and retry.");
        }
    }

    /** Throws where the range has been split or merged away, for the same reason. */
    void checkRange(ContainerRef.Resolved found) {
        range.ifPresent(found.map()::require);
    }
}
