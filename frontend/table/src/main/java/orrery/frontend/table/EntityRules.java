package orrery.frontend.table;

import orrery.document.edm.EdmValue;

/** The limits of the service on keys, names and values. */
final class EntityRules {
    /** In UTF-16 units, as the service counts. */
    static final int MAX_KEY = 1024;

    /** The bytes of a key in UTF-8; the engine keeps no longer ones. */
    static final int MAX_KEY_BYTES = 2047;

    static final int MAX_NAME = 255;
    static final int MAX_TEXT = 32 << 10;
    static final int MAX_BINARY = 64 << 10;

    private static final String FORBIDDEN_IN_KEYS = "/\\#?";

    private EntityRules() {}

    static void checkKeys(String partitionKey, String rowKey) {
        checkKey("PartitionKey", partitionKey);
        checkKey("RowKey", rowKey);
    }

    private static void checkKey(String name, String key) {
        int bytes = 0;
        for (int i = 0; i < key.length(); ) {
            int c = key.codePointAt(i);
            boolean isLoneSurrogate = c >= 0xD800 && c <= 0xDFFF;
            if (c < 0x20
                    || (c >= 0x7F && c <= 0x9F)
                    || isLoneSurrogate
                    || FORBIDDEN_IN_KEYS.indexOf(c) >= 0) {
                throw TableException.of(
                        TableErrorCode.OUT_OF_RANGE_INPUT,
                        "The %s holds the character U+%04X, which no key may have."
                                .formatted(name, c));
            }
            bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
            i += Character.charCount(c);
        }
        if (key.length() > MAX_KEY || bytes > MAX_KEY_BYTES) {
            throw TableException.of(
                    TableErrorCode.KEY_VALUE_TOO_LARGE,
                    "The %s has %d characters and %d bytes in UTF-8; %d bytes are the most."
                            .formatted(name, key.length(), bytes, MAX_KEY_BYTES));
        }
    }

    static void checkName(String name) {
        if (name.length() > MAX_NAME) {
            throw new TableException(TableErrorCode.PROPERTY_NAME_TOO_LONG);
        }
        if (!isIdentifier(name)) {
            throw TableException.of(
                    TableErrorCode.PROPERTY_NAME_INVALID,
                    "'" + name + "' is not an identifier, which begins with a letter.");
        }
    }

    private static boolean isIdentifier(String name) {
        for (int i = 0; i < name.length(); ) {
            int c = name.codePointAt(i);
            if (i == 0 ? !isStart(c) : !isPart(c)) {
                return false;
            }
            i += Character.charCount(c);
        }
        return !name.isEmpty();
    }

    private static boolean isStart(int c) {
        return c == '_' || Character.isLetter(c) || Character.getType(c) == Character.LETTER_NUMBER;
    }

    /** The identifiers of C#, and the hyphen, which clients of the service take too. */
    private static boolean isPart(int c) {
        return isStart(c)
                || c == '-'
                || switch (Character.getType(c)) {
                    case Character.NON_SPACING_MARK,
                            Character.COMBINING_SPACING_MARK,
                            Character.DECIMAL_DIGIT_NUMBER,
                            Character.CONNECTOR_PUNCTUATION,
                            Character.FORMAT ->
                            true;
                    default -> false;
                };
    }

    static void checkValue(String name, EdmValue value) {
        boolean isTooLarge =
                switch (value) {
                    case EdmValue.Text(String text) -> text.length() > MAX_TEXT;
                    case EdmValue.Binary(var bytes) -> bytes.length() > MAX_BINARY;
                    default -> false;
                };
        if (isTooLarge) {
            throw TableException.of(
                    TableErrorCode.PROPERTY_VALUE_TOO_LARGE, "The property is '" + name + "'.");
        }
    }
}
