package orrery.document.edm;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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

    /** Asked for each property of each entity. */
    private static final List<Optional<EdmType>> BY_TAG =
            IntStream.rangeClosed(0, INT64.tag)
                    .mapToObj(tag -> Arrays.stream(values()).filter(t -> t.tag == tag).findAny())
                    .toList();

    private static final Map<String, EdmType> BY_TEXT =
            Arrays.stream(values()).collect(Collectors.toMap(EdmType::text, type -> type));

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
        return tag >= 0 && tag < BY_TAG.size() ? BY_TAG.get((int) tag) : Optional.empty();
    }

    public static Optional<EdmType> ofText(String text) {
        return Optional.ofNullable(BY_TEXT.get(text));
    }
}
