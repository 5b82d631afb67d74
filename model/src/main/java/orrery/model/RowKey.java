package orrery.model;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * Tells the items of one logical partition apart: a byte for the kind of the key, then its
 * canonical bytes. The engine compares the bytes and never looks inside. Front-ends make them:
 * equal keys must have equal bytes. The kinds are the tags of index values, so other types than
 * text have theirs.
 */
public record RowKey(Bytes bytes) implements Comparable<RowKey> {
    /** The longest row key, its kind included. */
    public static final int MAX_BYTES = 2048;

    private static final byte TEXT = 0x1C;

    /** For bytes that were checked before; those of a client go through {@link #of}. */
    public RowKey {
        if (bytes.isEmpty() || bytes.length() > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "a row key has its kind and at most " + MAX_BYTES + " bytes");
        }
    }

    /**
     * The row key with these bytes, the kind first. Throws BAD_REQUEST if there are too many: a
     * front-end makes them from what a client sent.
     */
    public static RowKey of(Bytes bytes) {
        if (bytes.length() > MAX_BYTES) {
            throw bad(
                    "The key of an item may have "
                            + MAX_BYTES
                            + " bytes with the one for its type, and this one has "
                            + bytes.length()
                            + ".");
        }
        return new RowKey(bytes);
    }

    /**
     * The row key of an API whose ids are texts. Throws BAD_REQUEST for a text that is too long,
     * and for half a surrogate pair, which has no canonical form.
     */
    public static RowKey ofText(String text) {
        if (!isWellFormed(text)) {
            throw bad("The id of an item is not well-formed text.");
        }
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        byte[] bytes = new byte[1 + utf8.length];
        bytes[0] = TEXT;
        System.arraycopy(utf8, 0, bytes, 1, utf8.length);
        return of(Bytes.wrap(bytes));
    }

    private static boolean isWellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (!Character.isSupplementaryCodePoint(text.codePointAt(i))) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }

    private static OrreryException bad(String text) {
        return new OrreryException(ErrorCode.BAD_REQUEST, text);
    }

    public boolean isText() {
        return bytes.at(0) == TEXT;
    }

    /** Returns the text that {@link #ofText} was given. */
    public String text() {
        if (!isText()) {
            throw new IllegalStateException("this row key is not a text: " + bytes);
        }
        byte[] array = bytes.unsafeArray();
        return new String(array, 1, array.length - 1, StandardCharsets.UTF_8);
    }

    public void write(BinaryWriter out) {
        out.bytes(bytes);
    }

    public static RowKey read(BinaryReader in) {
        return in.checked(r -> new RowKey(r.bytes()));
    }

    @Override
    public int compareTo(RowKey other) {
        return Arrays.compareUnsigned(bytes.unsafeArray(), other.bytes.unsafeArray());
    }

    /** Shows a text as it is and other kinds in hexadecimal digits, for logs and messages. */
    @Override
    public String toString() {
        return isText() ? text() : bytes.toHex();
    }
}
