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

    @Override
    void close();
}
