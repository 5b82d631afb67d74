package orrery.model;

/**
 * The limits that follow from how large an item may be. Whoever needs such a limit takes it from
 * here, so that all of them move together. The methods give those of one kind of container; the
 * constants are of a node, whose log and connections carry items of every kind.
 *
 * @param maxItemBytes the body of an item, in its encoding, without system properties
 */
public record SizeLimits(int maxItemBytes) {
    /** All kinds of containers have these but MongoDB's. */
    public static final SizeLimits DEFAULT = new SizeLimits(2 << 20);

    public static final SizeLimits MONGODB = new SizeLimits(16 << 20);

    /** The limits of the kind with the largest items. */
    public static final SizeLimits LARGEST = MONGODB;

    /** Keys, names and numbers around bodies. */
    private static final int OVERHEAD_BYTES = 1 << 20;

    /** The items or results of one page of an answer. */
    public static final int MAX_PAGE_ROWS = 1000;

    /** One command in the log, and so an entry that no other shares: a transaction and its keys. */
    public static final int MAX_COMMAND_BYTES = LARGEST.maxTransactionBytes() + OVERHEAD_BYTES;

    /** Commands are packed into one entry up to this; a larger one is alone. */
    public static final int PACKED_ENTRY_BYTES = LARGEST.maxItemBytes / 16;

    /** Commands that wait for the log. */
    public static final long MAX_PENDING_BYTES = 4L * LARGEST.maxItemBytes;

    /** A message between nodes: a page of an answer, a request, or an entry of the log. */
    public static final int MAX_MESSAGE_BYTES = MAX_COMMAND_BYTES + OVERHEAD_BYTES;

    public SizeLimits {
        if (maxItemBytes < 1 || maxItemBytes > 64 << 20) {
            throw new IllegalArgumentException("an item has at most 1 byte to 64 MB");
        }
    }

    /** A body that arrives: the item, and a quarter for what clients write around it. */
    public int maxRequestBytes() {
        return maxItemBytes + maxItemBytes / 4;
    }

    /** A page of an answer, and the bodies that a script writes: two items fit. */
    public int maxPageBytes() {
        return 2 * maxItemBytes;
    }

    /**
     * The bodies that one transaction writes: those in the request of a batch, which together are
     * no larger than an item, and those that its patches make, which its answer has room for.
     */
    public int maxTransactionBytes() {
        return maxItemBytes + maxPageBytes();
    }

    /** The source of a script; several go with a request. */
    public int maxScriptBytes() {
        return maxItemBytes / 8;
    }

    /** The operations that a client of ours sends in one bulk. */
    public int bulkBytes() {
        return maxItemBytes / 2;
    }

    /**
     * Returns a message that may be sent.
     *
     * @throws OrreryException if it is too large for the nodes that would have to hold it
     */
    public static Bytes checkMessage(Bytes message) {
        checkMessage(message.length());
        return message;
    }

    /**
     * @throws OrreryException if a message would be too large with so many bytes
     */
    public static void checkMessage(long bytes) {
        if (bytes > MAX_MESSAGE_BYTES) {
            throw new OrreryException(
                    ErrorCode.TOO_LARGE,
                    "A message between nodes may have %d bytes, and this one would have %d."
                            .formatted(MAX_MESSAGE_BYTES, bytes));
        }
    }
}
