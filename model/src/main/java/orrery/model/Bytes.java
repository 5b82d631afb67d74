package orrery.model;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * An immutable byte string with value equality, ordered as unsigned bytes. Wrapping does not copy:
 * whoever wraps an array gives it away.
 */
public final class Bytes implements Comparable<Bytes> {
    public static final Bytes EMPTY = new Bytes(new byte[0]);
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private final byte[] array;

    private Bytes(byte[] array) {
        this.array = array;
    }

    public static Bytes wrap(byte[] array) {
        return array.length == 0 ? EMPTY : new Bytes(array);
    }

    public static Bytes copyOf(byte[] array, int offset, int length) {
        return wrap(Arrays.copyOfRange(array, offset, offset + length));
    }

    public static Bytes ofUtf8(String text) {
        return wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Parses pairs of hex digits of either case; throws IllegalArgumentException on anything else.
     */
    public static Bytes ofHex(String hex) {
        return wrap(HEX.parseHex(hex));
    }

    public int length() {
        return array.length;
    }

    public boolean isEmpty() {
        return array.length == 0;
    }

    public byte at(int index) {
        return array[index];
    }

    /** The array itself, for hot paths that promise not to write to it. */
    public byte[] unsafeArray() {
        return array;
    }

    public boolean startsWith(Bytes prefix) {
        return array.length >= prefix.array.length
                && Arrays.equals(
                        array, 0, prefix.array.length, prefix.array, 0, prefix.array.length);
    }

    public String toUtf8() {
        return new String(array, StandardCharsets.UTF_8);
    }

    public String toHex() {
        return HEX.formatHex(array);
    }

    @Override
    public int compareTo(Bytes other) {
        return Arrays.compareUnsigned(array, other.array);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Bytes that && Arrays.equals(array, that.array);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(array);
    }

    @Override
    public String toString() {
        return toHex();
    }
}
