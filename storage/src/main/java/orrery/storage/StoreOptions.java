package orrery.storage;

/**
 * What a store may use of the machine. All memory it takes is bounded by these, whatever the amount
 * of data.
 *
 * @param blockCacheBytes blocks, index blocks and filters read from disk
 * @param writeBufferBytes rows not yet flushed, over all tables
 */
public record StoreOptions(long blockCacheBytes, long writeBufferBytes) {
    public static final StoreOptions DEFAULT = new StoreOptions(128L << 20, 64L << 20);
}
