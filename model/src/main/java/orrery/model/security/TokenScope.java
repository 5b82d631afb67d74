package orrery.model.security;

import java.util.Optional;
import orrery.model.PartitionKey;
import orrery.model.ResourceId;
import orrery.model.RowKey;

/**
 * The part of an account that a resource token opens. Resources are held by their rids, so what
 * takes the name of a deleted one is not opened.
 */
public sealed interface TokenScope {
    /** Returns true if what is opened lies in this container. */
    boolean isIn(ResourceId container);

    /** A permission whose resource was not there when the token was made. */
    record Nothing() implements TokenScope {
        @Override
        public boolean isIn(ResourceId container) {
            return false;
        }
    }

    /** A container with all that it holds. */
    record WholeContainer(ResourceId container) implements TokenScope {
        @Override
        public boolean isIn(ResourceId other) {
            return container.equals(other);
        }
    }

    /** The items of one key, or of all keys that begin with these levels. */
    record Key(ResourceId container, PartitionKey key) implements TokenScope {
        @Override
        public boolean isIn(ResourceId other) {
            return container.equals(other);
        }
    }

    /** The item that has this name, whenever it was made: clients know items by their names. */
    record NamedItem(ResourceId container, PartitionKey key, RowKey row) implements TokenScope {
        @Override
        public boolean isIn(ResourceId other) {
            return container.equals(other);
        }
    }

    /**
     * The item that has this rid.
     *
     * @param key the one that requests must name, if the permission says so
     */
    record IdentifiedItem(ResourceId container, Optional<PartitionKey> key, ResourceId item)
            implements TokenScope {
        @Override
        public boolean isIn(ResourceId other) {
            return container.equals(other);
        }
    }

    /** One stored procedure, trigger or user-defined function, as a resource. */
    record Script(ResourceId container, ResourceId script) implements TokenScope {
        @Override
        public boolean isIn(ResourceId other) {
            return container.equals(other);
        }
    }
}
