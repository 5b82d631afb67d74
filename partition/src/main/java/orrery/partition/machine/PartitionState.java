package orrery.partition.machine;

import orrery.storage.format.KeyDeletions;
import orrery.storage.format.PartitionRecord;

/** A partition as of one applied entry: what readers of this replica see. Immutable. */
public record PartitionState(
        PartitionRecord record, OpenDefinition definition, KeyDeletions deletions) {
    /** Returns true if a command could not be applied, so that no more are. */
    public boolean isFailed() {
        return record.standing().failure().isPresent();
    }

    /**
     * Returns the rule that decides which items exist at a moment.
     *
     * @param clockMillis the time that the leader has for the partition; one that was stamped since
     *     is never behind
     */
    public Presence presence(long clockMillis) {
        return Presence.of(definition, deletions, Math.max(clockMillis, record.timeMillis()));
    }
}
