package orrery.partition.machine;

import java.util.List;
import orrery.document.FieldExpiry;
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
        List<FieldExpiry> expiries,
        KeyDeletions deletions,
        PartitionKeyDefinition keyDefinition,
        long nowMillis) {
    public Presence {
        expiries = List.copyOf(expiries);
    }

    static Presence of(OpenDefinition open, KeyDeletions deletions, long nowMillis) {
        ContainerDefinition definition = open.current().definition();
        return new Presence(
                definition.timeToLive(),
                open.expiries(),
                deletions,
                definition.partitionKey(),
                nowMillis);
    }

    /** Returns true if every stored item is there, whichever it is. */
    public boolean isOfAll() {
        return !mayExpire() && deletions.isEmpty();
    }

    /** Returns true if items may end by themselves. */
    public boolean mayExpire() {
        return timeToLive.isOn() || !expiries.isEmpty();
    }

    /** The same, if all stored items were there. */
    public Presence withAll() {
        return new Presence(TimeToLive.OFF, List.of(), KeyDeletions.NONE, keyDefinition, nowMillis);
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
        return item.isExpired(timeToLive, nowMillis) || isOver(item);
    }

    private boolean isOver(ItemRecord item) {
        for (FieldExpiry expiry : expiries) {
            if (expiry.isOver(item.encoding(), item.body(), nowMillis)) {
                return true;
            }
        }
        return false;
    }

    /** False if the item is there for sure, whatever its version. */
    public boolean mayBeGone(Bytes suffix) {
        return mayExpire() || deletions.mayCover(suffix, keyDefinition);
    }
}
