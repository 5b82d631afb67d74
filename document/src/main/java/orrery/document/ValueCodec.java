package orrery.document;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import orrery.model.Bytes;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * The bytes of a whole value where it is kept, such as that of a computed property or a group.
 * Unlike those of an {@link IndexValue} they do not sort, and nothing is cut. Stored and logged, so
 * the layout never changes; it is in docs/formats/storage.md.
 */
public final class ValueCodec {
    private static final int NULL = 1;
    private static final int FALSE = 2;
    private static final int TRUE = 3;
    private static final int INT = 4;
    private static final int REAL = 5;
    private static final int TEXT = 6;
    private static final int ARRAY = 7;
    private static final int OBJECT = 8;

    /** In an array only, and not in values that are stored. */
    private static final int UNDEFINED = 9;

    /** More than any value has that was made from JSON by an expression. */
    private static final int MAX_DEPTH = 1000;

    private ValueCodec() {}

    /** The value must be defined, as must everything in it. */
    public static Bytes encode(Value value) {
        requireDefined(value);
        BinaryWriter out = new BinaryWriter(32);
        write(out, value);
        return out.toBytes();
    }

    private static void requireDefined(Value value) {
        switch (value) {
            case Value.Undefined _ ->
                    throw new IllegalArgumentException("an undefined value is not kept");
            case Value.Array(List<Value> elements) -> elements.forEach(ValueCodec::requireDefined);
            case Value.Obj(Map<String, Value> properties) ->
                    properties.values().forEach(ValueCodec::requireDefined);
            case BsonValue _,
                    Value.Null _,
                    Value.Bool _,
                    Value.Int _,
                    Value.Real _,
                    Value.Text _ -> {}
        }
    }

    public static Value decode(Bytes bytes) {
        BinaryReader in = new BinaryReader(bytes);
        Value value = read(in);
        in.expectEnd();
        return value;
    }

    /**
     * Writes a value into a larger record. Kinds that JSON lacks get their {@link JsonForm}. The
     * elements of an array may be undefined.
     */
    public static void write(BinaryWriter out, Value value) {
        switch (value) {
            case Value.Undefined _ -> out.u8(UNDEFINED);
            case BsonValue bson -> write(out, JsonForm.of(bson));
            case Value.Null _ -> out.u8(NULL);
            case Value.Bool(boolean truth) -> out.u8(truth ? TRUE : FALSE);
            case Value.Int(long number) -> out.u8(INT).u64(number);
            case Value.Real(double number) -> out.u8(REAL).u64(Double.doubleToRawLongBits(number));
            case Value.Text(String text) -> writeText(out.u8(TEXT), text);
            case Value.Array(List<Value> elements) ->
                    out.u8(ARRAY).list(elements, ValueCodec::write);
            case Value.Obj(Map<String, Value> properties) ->
                    out.u8(OBJECT)
                            .list(
                                    properties.entrySet(),
                                    (w, property) -> {
                                        writeText(w, property.getKey());
                                        write(w, property.getValue());
                                    });
        }
    }

    /** Reads what {@link #write} wrote. */
    public static Value read(BinaryReader in) {
        return read(in, MAX_DEPTH, false);
    }

    private static Value read(BinaryReader in, int levelsLeft, boolean isElement) {
        if (levelsLeft == 0) {
            throw new MalformedRecordException("a kept value is nested too deeply");
        }
        int kind = in.u8();
        if (isElement && kind == UNDEFINED) {
            return Value.Undefined.UNDEFINED;
        }
        return switch (kind) {
            case NULL -> Value.Null.NULL;
            case FALSE -> Value.of(false);
            case TRUE -> Value.of(true);
            case INT -> new Value.Int(in.u64());
            case REAL -> new Value.Real(Double.longBitsToDouble(in.u64()));
            case TEXT -> new Value.Text(readText(in));
            case ARRAY -> new Value.Array(in.list(r -> read(r, levelsLeft - 1, true)));
            case OBJECT -> {
                int count = in.count();
                Map<String, Value> properties = new LinkedHashMap<>();
                for (int i = 0; i < count; i++) {
                    properties.put(readText(in), read(in, levelsLeft - 1, false));
                }
                yield new Value.Obj(properties);
            }
            default -> throw new MalformedRecordException("unknown kind of kept value");
        };
    }

    /** Each UTF-16 unit by itself, because a string of JSON may hold half of a surrogate pair. */
    public static void writeText(BinaryWriter out, String text) {
        out.varint(text.length());
        for (int i = 0; i < text.length(); i++) {
            out.varint(text.charAt(i));
        }
    }

    /** Reads what {@link #writeText} wrote. */
    public static String readText(BinaryReader in) {
        int count = in.count();
        char[] units = new char[count];
        for (int i = 0; i < count; i++) {
            int unit = in.varint32();
            if (unit > Character.MAX_VALUE) {
                throw new MalformedRecordException("a kept text has an impossible character");
            }
            units[i] = (char) unit;
        }
        return new String(units);
    }
}
