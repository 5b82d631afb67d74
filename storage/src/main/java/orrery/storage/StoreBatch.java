package orrery.storage;

/** Changes that become visible and durable together or not at all. Used by one thread. */
public interface StoreBatch extends AutoCloseable {
    void put(Table table, byte[] key, byte[] value);

    void delete(Table table, byte[] key);

    /**
     * Deletes every row with {@code from <= key < to} at a cost that does not depend on how many.
     */
    void deleteRange(Table table, byte[] from, byte[] to);

    /** Takes back everything that was added. */
    void clear();

    /**
     * Does now what a write needs before the disk, so that the write itself takes less time. A
     * sealed batch takes no more changes. One that is not sealed is sealed by the write.
     */
    default void seal() {}

    @Override
    void close();
}
