package orrery.model;

import java.util.HexFormat;
import java.util.Optional;

/**
 * Values of partition keys that are no text, number, boolean or null, as texts: the character
 * U+0000, then the canonical bytes of the value in hexadecimal digits, its kind first. Every client
 * can write such a text into a header, and hashes it as any other. Only containers whose encoding
 * has such values know these texts. There a string that begins with U+0000 is itself written so;
 * everywhere else it is what it is. See docs/formats/keys.md.
 */
public final class TaggedText {
    private static final char TAG = 0;
    private static final HexFormat HEX = HexFormat.of();

    private TaggedText() {}

    /**
     * The component for a value.
     *
     * @param canonical the kind, then bytes that only equal values have
     */
    public static KeyComponent component(Bytes canonical) {
        return new KeyComponent.Text(TAG + HEX.formatHex(canonical.unsafeArray()));
    }

    public static boolean isTagged(String text) {
        return !text.isEmpty() && text.charAt(0) == TAG;
    }

    /** The canonical bytes of the value that a text stands for; empty if it stands for none. */
    public static Optional<Bytes> canonical(String text) {
        boolean isOne =
                isTagged(text)
                        && text.length() > 2
                        && text.length() % 2 == 1
                        && text.chars().skip(1).allMatch(TaggedText::isDigit);
        return isOne
                ? Optional.of(Bytes.wrap(HEX.parseHex(text, 1, text.length())))
                : Optional.empty();
    }

    /** Capital letters would make a second name for the same value. */
    private static boolean isDigit(int unit) {
        return (unit >= '0' && unit <= '9') || (unit >= 'a' && unit <= 'f');
    }

    /**
     * Throws BAD_REQUEST if a component of the key begins like such a text and is none. No item has
     * that key, and a client that asks for it has probably meant a plain string.
     */
    public static void check(PartitionKey key) {
        for (KeyComponent component : key.components()) {
            if (component instanceof KeyComponent.Text(String text)
                    && isTagged(text)
                    && canonical(text).isEmpty()) {
                throw new OrreryException(
                        ErrorCode.BAD_REQUEST,
                        "The partition key has a string that begins with U+0000. In this container"
                                + " such a string stands for a value of another type and goes on"
                                + " with lower-case hexadecimal digits, two for each byte. A plain"
                                + " string that begins so is written as 1c and its bytes in"
                                + " UTF-8.");
            }
        }
    }
}
