package orrery.partition.machine;

import orrery.storage.format.PartitionRecord;

/** A partition as of one applied entry: what readers of this replica see. Immutable. */
public record PartitionState(PartitionRecord record, OpenDefinition definition) {
    /**
     * What is there at a moment.
     *
     * @param clockMillis what the leader's clock says; the partition's time is never behind
     */
    public Presence presence(long clockMillis) {
        return new Presence(
                definition.current().definition().timeToLive(),
                Math.max(clockMillis, record.timeMillis()));
    }
}
