package orrery.model.codec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import orrery.model.Bytes;

/**
 * Appends fixed-width big-endian numbers, varints, strings and byte strings to a growing buffer.
 * Big-endian, because several of these buffers are RocksDB keys and must sort as their numbers do.
 */
public final class BinaryWriter {
    private byte[] buffer;
    private int length;

    public BinaryWriter() {
        this(64);
    }

    /**
     * @param capacity the length of what will be written, if that is known: it is then not copied
     */
    public BinaryWriter(int capacity) {
        buffer = new byte[capacity];
    }

    public BinaryWriter u8(int value) {
        reserve(1);
        buffer[length++] = (byte) value;
        return this;
    }

    public BinaryWriter u16(int value) {
        reserve(2);
        buffer[length++] = (byte) (value >>> 8);
        buffer[length++] = (byte) value;
        return this;
    }

    public BinaryWriter u32(int value) {
        reserve(4);
        buffer[length++] = (byte) (value >>> 24);
        buffer[length++] = (byte) (value >>> 16);
        buffer[length++] = (byte) (value >>> 8);
        buffer[length++] = (byte) value;
        return this;
    }

    public BinaryWriter u64(long value) {
        return u32((int) (value >>> 32)).u32((int) value);
    }

    /** Unsigned LEB128: seven bits a byte, low bits first, the top bit set on all but the last. */
    public BinaryWriter varint(long value) {
        reserve(varintLength(value));
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            buffer[length++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        buffer[length++] = (byte) rest;
        return this;
    }

    /** One byte for each seven bits, and one for none. */
    private static int varintLength(long value) {
        return (70 - Long.numberOfLeadingZeros(value | 1)) / 7;
    }

    public BinaryWriter bool(boolean value) {
        return u8(value ? 1 : 0);
    }

    /** One byte, the ordinal: constants may be added behind the last one, never moved. */
    public BinaryWriter enumeration(Enum<?> value) {
        return u8(value.ordinal());
    }

    /** The bytes alone; the reader must know where they end. */
    public BinaryWriter raw(byte[] bytes) {
        return raw(bytes, 0, bytes.length);
    }

    public BinaryWriter raw(byte[] bytes, int offset, int count) {
        reserve(count);
        System.arraycopy(bytes, offset, buffer, length, count);
        length += count;
        return this;
    }

    public BinaryWriter raw(Bytes bytes) {
        return raw(bytes.unsafeArray());
    }

    /** A varint length, then the bytes. */
    public BinaryWriter bytes(Bytes bytes) {
        byte[] array = bytes.unsafeArray();
        return varint(array.length).raw(array);
    }

    /** A varint length in bytes, then UTF-8. */
    public BinaryWriter string(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        return varint(utf8.length).raw(utf8);
    }

    public <T> BinaryWriter optional(Optional<T> value, BiConsumer<BinaryWriter, T> write) {
        bool(value.isPresent());
        value.ifPresent(present -> write.accept(this, present));
        return this;
    }

    public BinaryWriter optionalU64(OptionalLong value) {
        bool(value.isPresent());
        value.ifPresent(this::u64);
        return this;
    }

    public BinaryWriter optionalU32(OptionalInt value) {
        bool(value.isPresent());
        value.ifPresent(this::u32);
        return this;
    }

    /** A varint count, then each element. */
    public <T> BinaryWriter list(Collection<T> values, BiConsumer<BinaryWriter, T> write) {
        varint(values.size());
        for (T value : values) {
            write.accept(this, value);
        }
        return this;
    }

    public int length() {
        return length;
    }

    /** Returns what was written. A full buffer is given away: whoever writes on gets another. */
    public byte[] toArray() {
        return length == buffer.length ? buffer : Arrays.copyOf(buffer, length);
    }

    public Bytes toBytes() {
        return Bytes.wrap(toArray());
    }

    private void reserve(int count) {
        int needed = Math.addExact(length, count);
        if (needed > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(needed, buffer.length * 2));
        }
    }
}
