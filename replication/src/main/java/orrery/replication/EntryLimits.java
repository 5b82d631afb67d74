package orrery.replication;

import orrery.model.SizeLimits;

/**
 * When an entry is full, and how much may wait for the next ones.
 *
 * @param maxBytes commands are packed up to this; a larger one is alone in its entry
 * @param maxCommandBytes a larger command is refused: its entry would fit no message
 * @param maxPendingBytes beyond this, callers are told to come back
 */
public record EntryLimits(
        int maxCommands, int maxBytes, int maxCommandBytes, long maxPendingBytes) {
    public static final EntryLimits DEFAULT =
            new EntryLimits(512, SizeLimits.PACKED_ENTRY_BYTES, SizeLimits.MAX_PENDING_BYTES);

    /** For a log whose entries hold one command each. Few wait: its commands are rare. */
    public static final EntryLimits ONE_COMMAND =
            new EntryLimits(1, SizeLimits.PACKED_ENTRY_BYTES, SizeLimits.MAX_PENDING_BYTES / 4);

    public EntryLimits(int maxCommands, int maxBytes, long maxPendingBytes) {
        this(maxCommands, maxBytes, SizeLimits.MAX_COMMAND_BYTES, maxPendingBytes);
    }
}
