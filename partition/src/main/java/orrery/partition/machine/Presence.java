package orrery.partition.machine;

import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.ContainerDefinition.TimeToLive;
import orrery.model.PartitionKeyDefinition;
import orrery.storage.format.Cause;
import orrery.storage.format.ItemRecord;
import orrery.storage.format.KeyDeletions;

/**
 * Tells which of the items whose rows are stored are there at a moment. Those that have expired are
 * not, nor those that were deleted with their whole key. Their rows are deleted in the background;
 * until then readers pass over them and writers take them for absent.
 */
public record Presence(
        TimeToLive timeToLive,
        KeyDeletions deletions,
        PartitionKeyDefinition keyDefinition,
        long nowMillis) {
    static Presence of(ContainerDefinition definition, KeyDeletions deletions, long nowMillis) {
        return new Presence(
                definition.timeToLive(), deletions, definition.partitionKey(), nowMillis);
    }

    /** Returns true if every stored item is there, whichever it is. */
    public boolean isOfAll() {
        return !timeToLive.isOn() && deletions.isEmpty();
    }

    /** The same, if all stored items were there. */
    public Presence withAll() {
        return new Presence(TimeToLive.OFF, KeyDeletions.NONE, keyDefinition, nowMillis);
    }

    /**
     * @param suffix the item's key without its container
     */
    public boolean isGone(Bytes suffix, ItemRecord item) {
        return isExpired(item) || deletions.covers(suffix, item.lsn(), keyDefinition);
    }

    /** The reason for the end of an item that a delete meets now. */
    Cause causeOfEnd(ItemRecord item) {
        return isExpired(item) ? Cause.TTL : Cause.USER;
    }

    private boolean isExpired(ItemRecord item) {
        return item.isExpired(timeToLive, nowMillis);
    }

    /** False if the item is there for sure, whatever its version. */
    public boolean mayBeGone(Bytes suffix) {
        return timeToLive.isOn() || deletions.mayCover(suffix, keyDefinition);
    }
}
