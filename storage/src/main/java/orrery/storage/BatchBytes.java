package orrery.storage;

import java.util.Arrays;

/**
 * The changes of one write as RocksDB's own batches hold them and as its log keeps them. A batch of
 * an entry has hundreds of rows. Made here and handed over whole, it costs one call of native code,
 * and not one with four copies for each row.
 *
 * <pre>
 * batch  = sequence u64 (RocksDB sets it) | count u32 | record*     numbers with low bytes first
 * record = tag u8 | column family varint | key, or first key, with its length as a varint
 *          | value, or end of the keys, likewise; a delete has none
 * </pre>
 */
final class BatchBytes {
    private static final byte DELETE = 0x04;
    private static final byte PUT = 0x05;
    private static final byte DELETE_RANGE = 0x0E;
    private static final int COUNT_AT = 8;
    private static final int HEADER = 12;

    /** The bytes of the tag and of a number. */
    private static final int MAX_BYTES = 1 + 5;

    private byte[] bytes;
    private int length = HEADER;
    private int count;

    BatchBytes(int capacity) {
        bytes = new byte[Math.max(capacity, HEADER)];
    }

    void put(int family, byte[] key, byte[] value) {
        begin(PUT, family);
        add(key);
        add(value);
    }

    void delete(int family, byte[] key) {
        begin(DELETE, family);
        add(key);
    }

    void deleteRange(int family, byte[] from, byte[] to) {
        begin(DELETE_RANGE, family);
        add(from);
        add(to);
    }

    void clear() {
        length = HEADER;
        count = 0;
    }

    /** Bytes that it can hold without growing. */
    int capacity() {
        return bytes.length;
    }

    byte[] toArray() {
        for (int i = 0; i < Integer.BYTES; i++) {
            bytes[COUNT_AT + i] = (byte) (count >>> (8 * i));
        }
        return Arrays.copyOf(bytes, length);
    }

    private void begin(byte tag, int family) {
        reserve(MAX_BYTES);
        bytes[length++] = tag;
        varint(family);
        count++;
    }

    private void add(byte[] part) {
        reserve(MAX_BYTES + part.length);
        varint(part.length);
        System.arraycopy(part, 0, bytes, length, part.length);
        length += part.length;
    }

    private void varint(int number) {
        int rest = number;
        while (rest >= 0x80) {
            bytes[length++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
    }

    /** Throws if an array cannot hold so much; what a command may cause is far less. */
    private void reserve(int more) {
        int needed = Math.addExact(length, more);
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8, 2L * needed));
        }
    }
}
