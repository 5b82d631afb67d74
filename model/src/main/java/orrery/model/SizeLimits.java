package orrery.model;

/**
 * The limits that follow from how large an item may be. Whoever needs such a limit takes it from
 * here, so that all of them move together.
 *
 * @param maxItemBytes the body of an item, in its encoding, without system properties
 */
public record SizeLimits(int maxItemBytes) {
    /** All kinds of containers have these but MongoDB's. */
    public static final SizeLimits DEFAULT = new SizeLimits(2 << 20);

    public static final SizeLimits MONGODB = new SizeLimits(16 << 20);

    /** Keys, names and numbers around a body. */
    private static final int FRAME_BYTES = 64 << 10;

    public SizeLimits {
        if (maxItemBytes < 1 || maxItemBytes > 64 << 20) {
            throw new IllegalArgumentException("an item has at most 1 byte to 64 MB");
        }
    }

    /** A body that arrives: the item, and a quarter for what clients write around it. */
    public int maxRequestBytes() {
        return maxItemBytes + maxItemBytes / 4;
    }

    /** A page of an answer, and all that one transaction writes: two items fit. */
    public int maxPageBytes() {
        return 2 * maxItemBytes;
    }

    /** A log entry that no other command shares: one transaction with its keys. */
    public int maxEntryBytes() {
        return maxPageBytes() + FRAME_BYTES;
    }

    /** A message between nodes: a page or an entry. */
    public int maxMessageBytes() {
        return maxEntryBytes() + FRAME_BYTES;
    }
}
