package orrery.replication;

/**
 * When an entry is full, and how much may wait for the next ones.
 *
 * @param maxPendingBytes beyond this, callers are told to come back
 */
public record EntryLimits(int maxCommands, int maxBytes, long maxPendingBytes) {
    public static final EntryLimits DEFAULT = new EntryLimits(512, 1 << 20, 64L << 20);
}
