package orrery.storage;

/** Walks rows in key order. Not thread-safe; holds native memory until closed. */
public interface Cursor extends AutoCloseable {
    /** Steps to the first or next row; false when there is none. */
    boolean next();

    byte[] key();

    byte[] value();

    @Override
    void close();
}
