package orrery.document;

import java.util.List;
import java.util.Map;
import orrery.model.Bytes;
import orrery.model.TermRules;
import orrery.model.codec.MalformedRecordException;

/**
 * The bytes of a value in an index term: they sort, as unsigned bytes, as the values do, and none
 * is the beginning of another, so several may follow each other. Stored; the layout is in
 * docs/formats/index.md.
 */
public final class IndexValue {
    /** The bytes of a string that are kept, where all are. */
    static final int WHOLE = Integer.MAX_VALUE / 2;

    private static final int EMPTY = 0x00;
    private static final int NOT_EMPTY = 0x01;

    private IndexValue() {}

    /**
     * The value that the bytes encode.
     *
     * @param value for an array or object, an empty one. Numbers and strings come back as the kind
     *     that JSON has for them, if it has one.
     * @param isExact whether that is all of the value: false for a string that was cut, and for an
     *     array or object with contents
     * @param end offset behind the bytes
     */
    public record Decoded(Value value, boolean isExact, int end) {}

    /** Encodes a value as an index has it that was made by these rules. */
    public static Bytes encode(Value value, TermRules rules) {
        ByteSink out = new ByteSink(32);
        put(value, rules.textBytes(), out);
        return out.toBytes();
    }

    /**
     * Returns the first bytes of every string that starts with this one. A prefix that is too long
     * is cut like a string.
     */
    public static Bytes encodePrefix(String prefix, TermRules rules) {
        ByteSink out = new ByteSink(32);
        putText(prefix, rules.textBytes(), out);
        out.truncate(out.length() - 2); // the mark of its end
        return out.toBytes();
    }

    /**
     * Like {@link #encode}, but keeps all of a string. Strings that share an index term still have
     * different places in an order.
     */
    public static Bytes encodeWhole(Value value) {
        ByteSink out = new ByteSink(32);
        put(value, WHOLE, out);
        return out.toBytes();
    }

    /**
     * Puts what {@link #encode} makes of a value, from what {@link #encodeWhole} made of it.
     *
     * @param isFlipped whether all bits are, here and there
     * @return the offset behind the value
     */
    public static int putShortened(
            byte[] bytes, int offset, boolean isFlipped, TermRules rules, ByteSink out) {
        int flip = flip(isFlipped);
        if ((bytes[offset] ^ flip) == ValueTag.STRING) {
            out.put(bytes[offset]);
            return IndexText.putShortened(bytes, offset + 1, flip, rules.textBytes(), out);
        }
        if (isOfJson(bytes[offset] ^ flip)) {
            int end = end(bytes, offset, isFlipped);
            out.put(bytes, offset, end - offset);
            return end;
        }
        return IndexBson.putShortened(bytes, offset, flip, rules.textBytes(), out);
    }

    /**
     * The offset behind the value that begins at this one, whole or cut.
     *
     * @param isFlipped whether all bits are
     */
    public static int end(byte[] bytes, int offset, boolean isFlipped) {
        int flip = flip(isFlipped);
        try {
            int at = offset + 1;
            return switch ((byte) (bytes[offset] ^ flip)) {
                case ValueTag.UNDEFINED, ValueTag.NULL, ValueTag.FALSE, ValueTag.TRUE -> at;
                case ValueTag.ARRAY, ValueTag.OBJECT -> at + 1;
                case ValueTag.NUMBER -> IndexNumber.end(bytes, at, flip);
                case ValueTag.STRING -> IndexText.end(bytes, at, flip);
                default -> IndexBson.end(bytes, offset, flip);
            };
        } catch (IndexOutOfBoundsException _) {
            throw new MalformedRecordException("an index value ends too early");
        }
    }

    private static boolean isOfJson(int tag) {
        return switch (tag) {
            case ValueTag.UNDEFINED,
                    ValueTag.NULL,
                    ValueTag.FALSE,
                    ValueTag.TRUE,
                    ValueTag.NUMBER,
                    ValueTag.STRING,
                    ValueTag.ARRAY,
                    ValueTag.OBJECT ->
                    true;
            default -> false;
        };
    }

    private static int flip(boolean isFlipped) {
        return isFlipped ? -1 : 0;
    }

    /** Returns true if a part of the value between these offsets was left out. */
    public static boolean isCut(byte[] bytes, int offset, int end, boolean isFlipped) {
        int flip = flip(isFlipped);
        return (bytes[offset] ^ flip) == ValueTag.STRING
                ? IndexText.isCut(bytes, end, flip)
                : IndexBson.isCut(bytes, offset, end, flip);
    }

    /** Returns true if these are the bytes of a value of which a part was left out. */
    public static boolean isCut(Bytes encoded) {
        return isCut(encoded.unsafeArray(), 0, encoded.length(), false);
    }

    static void put(Value value, int maxBytes, ByteSink out) {
        switch (value) {
            case Value.Undefined _ -> out.put(ValueTag.UNDEFINED);
            case Value.Null _ -> out.put(ValueTag.NULL);
            case Value.Bool(boolean truth) -> out.put(truth ? ValueTag.TRUE : ValueTag.FALSE);
            case Value.Int(long number) -> IndexNumber.putLong(number, out);
            case Value.Real(double number) -> IndexNumber.putDouble(number, out);
            case Value.Text(String text) -> putText(text, maxBytes, out);
            case Value.Array(List<Value> elements) -> putArray(!elements.isEmpty(), out);
            case Value.Obj(Map<String, Value> properties) -> putObject(!properties.isEmpty(), out);
            case BsonValue bson -> IndexBson.put(bson, maxBytes, out);
        }
    }

    static void putArray(boolean hasElements, ByteSink out) {
        putContents(hasElements, out.put(ValueTag.ARRAY));
    }

    static void putObject(boolean hasProperties, ByteSink out) {
        putContents(hasProperties, out.put(ValueTag.OBJECT));
    }

    static void putContents(boolean hasSome, ByteSink out) {
        out.put(hasSome ? NOT_EMPTY : EMPTY);
    }

    static boolean isEmpty(byte contents) {
        return contents == EMPTY;
    }

    static void putDouble(double number, ByteSink out) {
        IndexNumber.putDouble(number, out);
    }

    static void putLong(long number, ByteSink out) {
        IndexNumber.putLong(number, out);
    }

    static void putText(char[] units, int offset, int count, int maxBytes, ByteSink out) {
        IndexText.put(units, offset, count, maxBytes, out.put(ValueTag.STRING));
    }

    private static void putText(String text, int maxBytes, ByteSink out) {
        IndexText.put(text, maxBytes, out.put(ValueTag.STRING));
    }

    public static Decoded decode(Bytes bytes) {
        return decode(bytes.unsafeArray(), 0);
    }

    /** Throws MalformedRecordException if no value begins there. */
    public static Decoded decode(byte[] bytes, int offset) {
        try {
            int at = offset + 1;
            return switch (bytes[offset]) {
                case ValueTag.UNDEFINED -> new Decoded(Value.Undefined.UNDEFINED, true, at);
                case ValueTag.NULL -> new Decoded(Value.Null.NULL, true, at);
                case ValueTag.FALSE -> new Decoded(Value.of(false), true, at);
                case ValueTag.TRUE -> new Decoded(Value.of(true), true, at);
                case ValueTag.NUMBER -> IndexNumber.decode(bytes, at);
                case ValueTag.STRING -> {
                    IndexText.Decoded text = IndexText.decode(bytes, at);
                    yield new Decoded(Value.of(text.text()), text.isExact(), text.end());
                }
                case ValueTag.ARRAY ->
                        new Decoded(new Value.Array(List.of()), isEmpty(bytes[at]), at + 1);
                case ValueTag.OBJECT ->
                        new Decoded(new Value.Obj(Map.of()), isEmpty(bytes[at]), at + 1);
                default -> IndexBson.decode(bytes, offset);
            };
        } catch (IndexOutOfBoundsException _) {
            throw new MalformedRecordException("an index value ends too early");
        }
    }
}
