package orrery.gateway.api;

import orrery.model.resource.Container;
import orrery.model.resource.Database;
import orrery.model.resource.PartitionMap;

/** The container that a request is about: as its client names it, or as the door has found it. */
public sealed interface ContainerRef {
    /** Names a container. Each call that is given one looks it up. */
    record Addressed(ResourceRef database, ResourceRef container) implements ContainerRef {
        /** Names a container and its database by their names. */
        public static Addressed byName(String database, String container) {
            return new Addressed(new ResourceRef.Named(database), new ResourceRef.Named(container));
        }
    }

    /**
     * A container that {@link Resources#resolve} has found. Calls that are given one look up
     * nothing: they are about this container, whatever has its name by now.
     *
     * @param map the partitions of that moment; calls follow later maps by themselves
     */
    record Resolved(Database database, Container container, PartitionMap map)
            implements ContainerRef {}

    /** The part that a container has in a request, which decides how a missing one is reported. */
    enum Role {
        /** The request is about the container itself: {@code NOT_FOUND}. */
        SUBJECT,
        /** The request is about something in the container: {@code OWNER_NOT_FOUND}. */
        OWNER,
        /** Like {@link #OWNER}, but the call waits for a container that is just being created. */
        AWAITED_OWNER
    }
}
