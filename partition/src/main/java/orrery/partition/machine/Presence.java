package orrery.partition.machine;

import orrery.model.Bytes;
import orrery.model.ContainerDefinition.TimeToLive;
import orrery.storage.format.ItemRecord;

/**
 * Which of the items whose rows are stored are there at a moment. Those that are not are deleted in
 * the background; until then readers pass over them and writers take them for absent.
 */
public record Presence(TimeToLive timeToLive, long nowMillis) {
    /** Whether every stored item is there, whichever it is. */
    public boolean isOfAll() {
        return !timeToLive.isOn();
    }

    /**
     * @param suffix the item's key without its container
     */
    public boolean isGone(Bytes suffix, ItemRecord item) {
        return item.isExpired(timeToLive, nowMillis);
    }
}
