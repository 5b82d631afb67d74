package orrery.document;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import orrery.model.Encoding;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;

/**
 * The names under which SQL sees the fields of a document in BSON. SQL has a meaning of its own for
 * some names: {@code id}, {@code _ts} and so on. A field that has such a name is shown with a
 * {@code $} before it, and one whose name already looks so with one more. So every field has one
 * name in SQL, and what SQL reads it can write back. See docs/formats/keys.md.
 */
public final class SqlNames {
    private static final char MARK = '$';

    private SqlNames() {}

    /** The name in SQL of a top-level field. */
    static String shown(String field) {
        return isReserved(field, 0) ? MARK + field : field;
    }

    /** The field that SQL means. A reserved name without a mark is none; it comes back as it is. */
    static String stored(String name) {
        return name.length() > 1 && name.charAt(0) == MARK && isReserved(name, 1)
                ? name.substring(1)
                : name;
    }

    /** Returns true for a reserved name behind any number of marks. */
    private static boolean isReserved(String name, int from) {
        int start = from;
        while (start < name.length() && name.charAt(start) == MARK) {
            start++;
        }
        return switch (name.length() - start) {
            // The lengths of the reserved names: most fields are told apart without a copy.
            case 2, 3, 4, 5, 12 -> {
                String bare = name.substring(start);
                yield bare.equals("id") || SystemProperties.isSystemProperty(bare);
            }
            default -> false;
        };
    }

    static Value.Obj shown(Value.Obj document) {
        return renamed(document, SqlNames::shown);
    }

    static Value.Obj stored(Value.Obj document) {
        return renamed(document, SqlNames::stored);
    }

    private static Value.Obj renamed(Value.Obj document, UnaryOperator<String> change) {
        Map<String, Value> properties = new LinkedHashMap<>();
        document.properties().forEach((name, value) -> properties.put(change.apply(name), value));
        return new Value.Obj(properties);
    }

    /** The paths of the key in names of SQL; its own paths are those of the stored document. */
    public static PartitionKeyDefinition shown(
            PartitionKeyDefinition definition, Encoding encoding) {
        return switch (encoding) {
            case JSON -> definition;
            case BSON ->
                    new PartitionKeyDefinition(
                            definition.paths().stream().map(SqlNames::shown).toList(),
                            definition.kind(),
                            definition.version(),
                            definition.systemKey());
        };
    }

    private static PropertyPath shown(PropertyPath path) {
        List<String> segments = new ArrayList<>(path.segments());
        segments.set(0, shown(segments.getFirst()));
        return new PropertyPath(segments);
    }
}
