package orrery.document;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition.UniqueKey;
import orrery.model.Encoding;
import orrery.model.PropertyPath;
import orrery.model.codec.BinaryWriter;

/**
 * The values that unique keys compare: for each key a digest of the item's values at its paths.
 * Equal values have equal digests, however they are written: {@code 1} and {@code 1.0}, the
 * properties of an object in any order. A value that is missing counts as null. Stored; the layout
 * is in docs/formats/index.md.
 */
public final class UniqueValues {
    private static final int NULL = 0;
    private static final int FALSE = 1;
    private static final int TRUE = 2;
    private static final int NUMBER = 3;
    private static final int TEXT = 4;
    private static final int ARRAY = 5;
    private static final int OBJECT = 6;
    private static final int OTHER = 7;
    private static final int SCOPED_CODE = 8;
    private static final int UNDEFINED = 9;
    private static final int ORDERED_OBJECT = 10;

    private UniqueValues() {}

    /** One digest for each key, in their order. */
    public static List<Bytes> of(List<UniqueKey> keys, Bytes storedBody) {
        return of(keys, Encoding.JSON, storedBody);
    }

    /** The same for a body in the given encoding. */
    public static List<Bytes> of(List<UniqueKey> keys, Encoding encoding, Bytes storedBody) {
        if (keys.isEmpty()) {
            return List.of();
        }
        Set<String> wanted = new HashSet<>();
        keys.forEach(key -> key.paths().forEach(path -> wanted.add(path.segments().getFirst())));
        Map<String, Value> found =
                BodyFormat.of(encoding).properties(storedBody, wanted::contains, wanted.size());
        List<Bytes> digests = new ArrayList<>(keys.size());
        for (UniqueKey key : keys) {
            BinaryWriter out = new BinaryWriter(64);
            key.paths().forEach(path -> write(out, at(found, path)));
            digests.add(digest(out.toArray()));
        }
        return digests;
    }

    private static Value at(Map<String, Value> item, PropertyPath path) {
        Value value = new Value.Obj(item);
        for (String segment : path.segments()) {
            if (!(value instanceof Value.Obj(Map<String, Value> properties))) {
                return Value.Null.NULL;
            }
            value = properties.getOrDefault(segment, Value.Null.NULL);
        }
        return value;
    }

    private static void write(BinaryWriter out, Value value) {
        switch (value) {
            case Value.Undefined _, Value.Null _, BsonValue.Undef _ -> out.u8(NULL);
            case Value.Bool(boolean bool) -> out.u8(bool ? TRUE : FALSE);
            case Value.Int _, Value.Real _, BsonValue.Int64 _, BsonValue.Decimal _ ->
                    out.u8(NUMBER).bytes(IndexValue.encodeWhole(value));
            case Value.Text(String text) -> writeText(out.u8(TEXT), text);
            case BsonValue.Symbol(String name) -> writeText(out.u8(TEXT), name);
            case Value.Array(List<Value> elements) ->
                    out.u8(ARRAY).list(elements, UniqueValues::write);
            case Value.Obj(Map<String, Value> properties) ->
                    writeProperties(out.u8(OBJECT), properties);
            case BsonValue.ScopedCode(String code, Value.Obj scope) -> {
                writeText(out.u8(SCOPED_CODE), code);
                writeProperties(out, scope.properties());
            }
            case BsonValue.MinKey _,
                    BsonValue.MaxKey _,
                    BsonValue.Binary _,
                    BsonValue.ObjectId _,
                    BsonValue.DateTime _,
                    BsonValue.Timestamp _,
                    BsonValue.Regex _,
                    BsonValue.Pointer _,
                    BsonValue.Code _ ->
                    out.u8(OTHER).bytes(IndexValue.encodeWhole(value));
        }
    }

    /** Writes a value of a named index: the order of properties counts there, as in MongoDB. */
    static void writeInOrder(BinaryWriter out, Value value) {
        switch (value) {
            case BsonValue.Undef _ -> out.u8(UNDEFINED);
            case Value.Array(List<Value> elements) ->
                    out.u8(ARRAY).list(elements, UniqueValues::writeInOrder);
            case Value.Obj(Map<String, Value> properties) ->
                    out.u8(ORDERED_OBJECT)
                            .list(
                                    properties.entrySet(),
                                    (w, property) -> {
                                        writeText(w, property.getKey());
                                        writeInOrder(w, property.getValue());
                                    });
            default -> write(out, value);
        }
    }

    private static void writeProperties(BinaryWriter out, Map<String, Value> properties) {
        out.list(
                new TreeMap<>(properties).entrySet(),
                (w, property) -> {
                    writeText(w, property.getKey());
                    write(w, property.getValue());
                });
    }

    /** Writes UTF-16, because in UTF-8 all halves of surrogate pairs would be one character. */
    private static void writeText(BinaryWriter out, String text) {
        byte[] units = new byte[2 * text.length()];
        for (int i = 0; i < text.length(); i++) {
            units[2 * i] = (byte) (text.charAt(i) >>> 8);
            units[2 * i + 1] = (byte) text.charAt(i);
        }
        out.bytes(Bytes.wrap(units));
    }

    static Bytes digest(byte[] values) {
        try {
            return Bytes.wrap(MessageDigest.getInstance("SHA-256").digest(values));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
