package orrery.document;

import java.util.Arrays;
import orrery.model.Bytes;

/**
 * A growing byte buffer that is filled, handed on and cleared for the next use: a feed writes many
 * items into one, and index extraction builds every term in one. Not for use by two threads at
 * once.
 */
public final class ByteSink {
    private byte[] buffer;
    private int length;

    public ByteSink() {
        this(256);
    }

    public ByteSink(int capacity) {
        buffer = new byte[Math.max(16, capacity)];
    }

    public ByteSink put(int value) {
        reserve(1);
        buffer[length++] = (byte) value;
        return this;
    }

    public ByteSink put(byte[] bytes) {
        return put(bytes, 0, bytes.length);
    }

    public ByteSink put(byte[] bytes, int offset, int count) {
        reserve(count);
        System.arraycopy(bytes, offset, buffer, length, count);
        length += count;
        return this;
    }

    public ByteSink put(Bytes bytes) {
        return put(bytes.unsafeArray());
    }

    /** Big-endian, so that unsigned numbers sort as their bytes do. */
    public ByteSink putLong(long value) {
        reserve(8);
        for (int shift = 56; shift >= 0; shift -= 8) {
            buffer[length++] = (byte) (value >>> shift);
        }
        return this;
    }

    /** One byte a character; only for text known to be ASCII. */
    public ByteSink putAscii(String text) {
        int count = text.length();
        reserve(count);
        for (int i = 0; i < count; i++) {
            buffer[length++] = (byte) text.charAt(i);
        }
        return this;
    }

    /**
     * Puts the beginning of a text, up to what JSON or UTF-8 write in another way than by its
     * character.
     *
     * @return the number of characters that were put
     */
    int putPlain(String text) {
        int count = text.length();
        reserve(count);
        byte[] target = buffer;
        int start = length;
        int i = 0;
        while (i < count) {
            char unit = text.charAt(i);
            if (unit < ' ' || unit >= 0x80 || unit == '"' || unit == '\\') {
                break;
            }
            target[start + i] = (byte) unit;
            i++;
        }
        length = start + i;
        return i;
    }

    public int length() {
        return length;
    }

    public byte at(int index) {
        return buffer[index];
    }

    /** Forgets the contents and keeps the buffer. */
    public void clear() {
        length = 0;
    }

    /** Drops what was written after the first {@code newLength} bytes. */
    public void truncate(int newLength) {
        if (newLength > length) {
            throw new IllegalArgumentException("a sink is never truncated to more than it holds");
        }
        length = newLength;
    }

    /** Flips every bit from {@code start} on: what sorted up now sorts down. */
    public void complementFrom(int start) {
        for (int i = start; i < length; i++) {
            buffer[i] = (byte) ~buffer[i];
        }
    }

    /**
     * The buffer itself, valid in its first {@link #length} bytes and only until the next write.
     */
    public byte[] unsafeArray() {
        return buffer;
    }

    public byte[] toArray() {
        return Arrays.copyOf(buffer, length);
    }

    public Bytes toBytes() {
        return Bytes.wrap(toArray());
    }

    private void reserve(int count) {
        int needed = Math.addExact(length, count);
        if (needed > buffer.length) {
            buffer =
                    Arrays.copyOf(
                            buffer,
                            (int)
                                    Math.min(
                                            Integer.MAX_VALUE - 8L,
                                            Math.max(needed, buffer.length * 2L)));
        }
    }
}
