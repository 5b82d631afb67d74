package orrery.document.edm;

import java.nio.charset.StandardCharsets;
import orrery.document.StoredCursor;

/**
 * Finds the place of a property's content in the text of an item, and its type. A reader learns so
 * much without taking the value apart. One object serves many properties, one thread at a time.
 */
public final class StoredContent {
    /** The tag of a value that is not in the form that tables write. */
    public static final int UNTYPED = -1;

    private static final byte[] TYPE = ascii(EdmValue.STORED_TYPE);
    private static final byte[] CONTENT = ascii(EdmValue.STORED_CONTENT);
    private static final int MAX_TAG_DIGITS = 2;

    private int tag = UNTYPED;
    private int start;
    private int end;

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Passes over a value. */
    public void read(StoredCursor cursor) {
        int begin = cursor.at();
        if (cursor.skipIf(TYPE)) {
            int digits = cursor.at();
            cursor.skipPlain();
            int digitsEnd = cursor.at();
            boolean isTag =
                    digitsEnd - digits <= MAX_TAG_DIGITS && cursor.isInteger(digits, digitsEnd);
            if (isTag && cursor.skipIf(CONTENT)) {
                start = cursor.at();
                boolean isPlain = cursor.isAt('"') ? !cursor.skipText() : isScalar(cursor);
                end = cursor.at();
                if (isPlain && cursor.isAt('}')) {
                    tag = (int) cursor.integer(digits, digitsEnd);
                    cursor.reset(end + 1);
                    return;
                }
            }
            cursor.reset(begin);
        }
        cursor.skipValue();
        tag = UNTYPED;
        start = begin;
        end = cursor.at();
    }

    private static boolean isScalar(StoredCursor cursor) {
        if (cursor.isAt('{') || cursor.isAt('[')) {
            return false;
        }
        cursor.skipPlain();
        return true;
    }

    /** The number of the type, or {@link #UNTYPED}. */
    public int tag() {
        return tag;
    }

    /** The begin of the content, or of the whole value if it is untyped. */
    public int start() {
        return start;
    }

    /** The end of the content; a text in it has no escapes. */
    public int end() {
        return end;
    }
}
