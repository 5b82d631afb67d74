package orrery.storage;

/** Walks rows in key order, or against it. Not thread-safe; holds native memory until closed. */
public interface Cursor extends AutoCloseable {
    /** Steps to the first or next row; false when there is none. */
    boolean next();

    /**
     * Goes to the first row, in the direction of the walk, that does not lie before this key; false
     * when there is none.
     */
    boolean seek(byte[] key);

    byte[] key();

    byte[] value();

    @Override
    void close();
}
