package orrery.storage;

/**
 * The memory that a store may use. These limits bound all memory it takes, whatever the amount of
 * data.
 *
 * @param blockCacheBytes blocks, index blocks and filters read from disk
 * @param itemCacheBytes items read lately, on the heap
 * @param writeBufferBytes rows not yet flushed, over all tables
 */
public record StoreOptions(long blockCacheBytes, long itemCacheBytes, long writeBufferBytes) {
    public static final StoreOptions DEFAULT = new StoreOptions(128L << 20, 128L << 20);

    /** Items take at most this part of the heap: it is there for requests. */
    private static final int ITEMS_OF_HEAP = 8;

    /** Gives items half as much as blocks, if the heap has it. */
    public StoreOptions(long blockCacheBytes, long writeBufferBytes) {
        this(
                blockCacheBytes,
                Math.min(blockCacheBytes / 2, Runtime.getRuntime().maxMemory() / ITEMS_OF_HEAP),
                writeBufferBytes);
    }
}
