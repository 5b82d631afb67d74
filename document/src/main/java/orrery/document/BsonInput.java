package orrery.document;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;
import orrery.model.OrreryException;

/**
 * A place in BSON bytes. Everything is checked before it is used: a length may say anything, and
 * nothing is allocated on its word.
 */
final class BsonInput {
    private static final int SMALLEST_DOCUMENT = 5;

    private final byte[] bytes;
    private int at;

    BsonInput(Bytes bson) {
        this.bytes = bson.unsafeArray();
    }

    int position() {
        return at;
    }

    boolean isAtEnd() {
        return at == bytes.length;
    }

    /** The offset of the zero byte that ends the document which begins here. */
    int beginDocument() {
        int start = at;
        int length = int32();
        if (length < SMALLEST_DOCUMENT || length > bytes.length - start) {
            throw invalid("A document says that it is " + length + " bytes long", start);
        }
        int last = start + length - 1;
        if (bytes[last] != 0) {
            throw invalid("A document does not end where it says", last);
        }
        return last;
    }

    void endDocument(int last) {
        if (at != last) {
            throw invalid("A document does not end where it says", at);
        }
        at++;
    }

    void skipDocument() {
        at = beginDocument() + 1;
    }

    /** The bytes of the document that begins here. */
    Bytes document() {
        int start = at;
        skipDocument();
        return Bytes.copyOf(bytes, start, at - start);
    }

    int int8() {
        require(1);
        return bytes[at++] & 0xFF;
    }

    int int32() {
        require(Integer.BYTES);
        int value = 0;
        for (int i = 3; i >= 0; i--) {
            value = value << 8 | (bytes[at + i] & 0xFF);
        }
        at += Integer.BYTES;
        return value;
    }

    long int64() {
        long low = Integer.toUnsignedLong(int32());
        return (long) int32() << 32 | low;
    }

    boolean bool() {
        int value = int8();
        if (value > 1) {
            throw invalid("A boolean is neither 0 nor 1", at - 1);
        }
        return value == 1;
    }

    Bytes bytes(int count) {
        require(count);
        at += count;
        return Bytes.copyOf(bytes, at - count, count);
    }

    /** The length of what follows. */
    int length() {
        int length = int32();
        require(length);
        return length;
    }

    /** Text up to a zero byte. */
    String cstring() {
        int start = at;
        skipCstring();
        return text(start, at - 1);
    }

    void skipCstring() {
        int unit = int8();
        while (unit != 0) {
            unit = int8();
        }
    }

    /** Returns true if the text that is passed over is this one. */
    boolean skipCstring(byte[] expected) {
        int start = at;
        skipCstring();
        return Arrays.equals(bytes, start, at - 1, expected, 0, expected.length);
    }

    /** Returns the name that is passed over; null if it is none of these. */
    @Nullable String skipCstring(PropertyNames names) {
        int start = at;
        skipCstring();
        return names.findAny(bytes, start, at - 1);
    }

    /** Text with its length before it. */
    String string() {
        int start = at + Integer.BYTES;
        skipString();
        return text(start, at - 1);
    }

    void skipString() {
        int length = length();
        if (length < 1 || bytes[at + length - 1] != 0) {
            throw invalid("A text does not end where it says", at);
        }
        at += length;
    }

    void skip(int count) {
        require(count);
        at += count;
    }

    private String text(int from, int to) {
        String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        // Only text with a replacement character can have been malformed.
        if (text.indexOf('\uFFFD') >= 0
                && !Arrays.equals(
                        text.getBytes(StandardCharsets.UTF_8),
                        Arrays.copyOfRange(bytes, from, to))) {
            throw invalid("It is not UTF-8 text", from);
        }
        return text;
    }

    private void require(int count) {
        if (count < 0 || count > bytes.length - at) {
            throw invalid("It ends before it is complete", at);
        }
    }

    static OrreryException invalid(String why, int offset) {
        return JsonInput.invalid(why, offset);
    }
}
