package orrery.document;

import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.ContainerKind;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RowKey;

/**
 * Row keys as SQL names them: in the property {@code id}, and in links. Where bodies are JSON a key
 * is its text. Where they are BSON, an ObjectId is its 24 digits and a string is itself. A string
 * that could be taken for another form gets a mark. All else, and a string that no address can
 * hold, is a mark and its bytes.
 */
public final class SqlId {
    private static final int MAX_PLAIN = 255;
    private static final String TEXT_MARK = "s:";
    private static final String OTHER_MARK = "k:";
    private static final int OBJECT_ID_BYTES = 1 + BsonValue.ObjectId.LENGTH;
    private static final int OBJECT_ID_DIGITS = 2 * BsonValue.ObjectId.LENGTH;

    private SqlId() {}

    /**
     * The key of the item that a link names. Throws BAD_REQUEST for an id that no item of the
     * container can have.
     */
    public static RowKey rowKey(ContainerKind kind, String id) {
        return switch (kind.encoding()) {
            case JSON -> kind.ids().rowKey(id);
            case BSON -> parse(kind.encoding(), id);
        };
    }

    /** Keys that are equal have one name, and different ones have different names. */
    public static String of(Encoding encoding, RowKey key) {
        return switch (encoding) {
            case JSON -> key.text();
            case BSON -> ofBson(key);
        };
    }

    private static String ofBson(RowKey key) {
        byte[] bytes = key.bytes().unsafeArray();
        if (bytes[0] == ValueTag.OBJECT_ID && bytes.length == OBJECT_ID_BYTES) {
            return HexFormat.of().formatHex(bytes, 1, bytes.length);
        }
        if (key.isText() && isAddress(key.text())) {
            return isAmbiguous(key.text()) ? TEXT_MARK + key.text() : key.text();
        }
        return OTHER_MARK + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /**
     * The key that has this name, whether or not there is such an item. Throws BAD_REQUEST for a
     * text that names no key.
     */
    public static RowKey parse(Encoding encoding, String id) {
        return switch (encoding) {
            case JSON -> RowKey.ofText(id);
            case BSON -> parseBson(id);
        };
    }

    private static RowKey parseBson(String id) {
        if (id.startsWith(TEXT_MARK)) {
            return RowKey.ofText(id.substring(TEXT_MARK.length()));
        }
        if (id.startsWith(OTHER_MARK)) {
            return keyOfBytes(id);
        }
        return isObjectId(id)
                ? BsonKeys.rowKey(new BsonValue.ObjectId(Bytes.wrap(HexFormat.of().parseHex(id))))
                : RowKey.ofText(id);
    }

    private static RowKey keyOfBytes(String id) {
        RowKey key =
                decoded(id.substring(OTHER_MARK.length()))
                        .flatMap(BsonKeys::canonical)
                        .orElseThrow(SqlId::noKey);
        String name = ofBson(key);
        if (!name.equals(id)) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "The id '%s' has another form in which it is written: '%s'."
                            .formatted(id, name));
        }
        return key;
    }

    private static Optional<Bytes> decoded(String base64) {
        try {
            return Optional.of(Bytes.wrap(Base64.getUrlDecoder().decode(base64)));
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
    }

    private static OrreryException noKey() {
        return new OrreryException(
                ErrorCode.BAD_REQUEST,
                "An id that begins with 'k:' goes on with the bytes of the item's key in base64url,"
                        + " and this one does not: no '_id' has these bytes.");
    }

    private static boolean isAddress(String text) {
        return !text.isEmpty()
                && text.length() <= MAX_PLAIN
                && text.chars()
                        .noneMatch(
                                unit -> unit == '/' || unit == '\\' || unit == '?' || unit == '#');
    }

    private static boolean isAmbiguous(String text) {
        return text.startsWith(TEXT_MARK) || text.startsWith(OTHER_MARK) || isObjectId(text);
    }

    private static boolean isObjectId(String text) {
        return text.length() == OBJECT_ID_DIGITS && text.chars().allMatch(HexFormat::isHexDigit);
    }
}
