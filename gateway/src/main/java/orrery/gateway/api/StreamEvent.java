package orrery.gateway.api;

import orrery.model.ItemVersion;
import orrery.model.resource.Container;

/** Something that a stream of changes tells. Each event has a token of its own to go on behind. */
public sealed interface StreamEvent {
    String token();

    /** When it happened; for what happened to a container or a database, when it was noticed. */
    long timeMillis();

    /** An item was created, replaced or deleted. */
    record Changed(String database, Container container, ItemVersion version, String token)
            implements StreamEvent {
        @Override
        public long timeMillis() {
            return version.timeMillis();
        }
    }

    /** A container was deleted. Changes of it that nobody had read are gone with it. */
    record Dropped(String database, String container, long timeMillis, String token)
            implements StreamEvent {}

    /** A container has another name. */
    record Renamed(String database, String from, String to, long timeMillis, String token)
            implements StreamEvent {}

    /** A database was deleted. */
    record DatabaseDropped(String database, long timeMillis, String token) implements StreamEvent {}

    /** The stream has ended. */
    record Ended(long timeMillis, String token) implements StreamEvent {}
}
