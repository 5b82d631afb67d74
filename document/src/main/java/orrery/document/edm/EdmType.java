package orrery.document.edm;

import java.util.Arrays;
import java.util.Optional;

/** The types that a property of a table's entity may have. */
public enum EdmType {
    GUID(0, "Edm.Guid"),
    DOUBLE(1, "Edm.Double"),
    STRING(2, "Edm.String"),
    BINARY(5, "Edm.Binary"),
    BOOLEAN(8, "Edm.Boolean"),
    DATETIME(9, "Edm.DateTime"),
    INT32(16, "Edm.Int32"),
    INT64(18, "Edm.Int64");

    private final int tag;
    private final String text;

    EdmType(int tag, String text) {
        this.tag = tag;
        this.text = text;
    }

    /** The number that says in a stored item which type its property has. */
    public int tag() {
        return tag;
    }

    /** The name in annotations of OData. */
    public String text() {
        return text;
    }

    public static Optional<EdmType> ofTag(long tag) {
        return Arrays.stream(values()).filter(type -> type.tag == tag).findAny();
    }

    public static Optional<EdmType> ofText(String text) {
        return Arrays.stream(values()).filter(type -> type.text.equals(text)).findAny();
    }
}
