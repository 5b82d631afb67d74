package orrery.document;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;

/**
 * BSON bytes to {@link Value} and back. Every type has its kind, so what was read is written byte
 * for byte as it was, if its arrays are numbered from 0 on. Reading is strict: anything malformed
 * is BAD_REQUEST with the place and the reason.
 */
public final class BsonCodec {
    /** Documents and arrays inside each other. */
    public static final int MAX_DEPTH = 100;

    private static final String TOO_DEEP = "It is nested deeper than " + MAX_DEPTH + " levels";

    private static final int DOUBLE = 0x01;
    private static final int STRING = 0x02;
    private static final int DOCUMENT = 0x03;
    private static final int ARRAY = 0x04;
    private static final int BINARY = 0x05;
    private static final int UNDEFINED = 0x06;
    private static final int OBJECT_ID = 0x07;
    private static final int BOOLEAN = 0x08;
    private static final int DATE_TIME = 0x09;
    private static final int NULL = 0x0A;
    private static final int REGEX = 0x0B;
    private static final int POINTER = 0x0C;
    private static final int CODE = 0x0D;
    private static final int SYMBOL = 0x0E;
    private static final int SCOPED_CODE = 0x0F;
    private static final int INT32 = 0x10;
    private static final int TIMESTAMP = 0x11;
    private static final int INT64 = 0x12;
    private static final int DECIMAL = 0x13;
    private static final int MAX_KEY = 0x7F;
    private static final int MIN_KEY = 0xFF;

    private BsonCodec() {}

    /** One document and nothing after it. */
    public static Value.Obj read(Bytes bson) {
        BsonInput in = new BsonInput(bson);
        Value.Obj document = document(in, 1);
        if (!in.isAtEnd()) {
            throw BsonInput.invalid("Something follows the end of the document", in.position());
        }
        return document;
    }

    /**
     * A document, and one of its fields as bytes.
     *
     * @param rest all other fields
     * @param part the document that the field holds; absent if there is no such field, or if it
     *     holds something else, which is in the rest then
     */
    public record Parted(Value.Obj rest, Optional<Bytes> part) {}

    /**
     * Reads a document around one of its fields. What the field holds is not looked at, and the
     * levels around it do not count for it.
     */
    public static Parted readAround(Bytes bson, String field) {
        BsonInput in = new BsonInput(bson);
        int last = in.beginDocument();
        Members.Builder rest = new Members.Builder();
        Optional<Bytes> part = Optional.empty();
        while (in.position() < last) {
            int start = in.position();
            int type = in.int8();
            String name = in.cstring();
            boolean isNew;
            if (type == DOCUMENT && name.equals(field)) {
                isNew = part.isEmpty();
                part = Optional.of(in.document());
            } else {
                isNew = rest.putIfNew(name, value(in, type, 1));
            }
            if (!isNew) {
                throw BsonInput.invalid("The name '" + name + "' comes twice", start);
            }
        }
        in.endDocument(last);
        if (!in.isAtEnd()) {
            throw BsonInput.invalid("Something follows the end of the document", in.position());
        }
        return new Parted(new Value.Obj(rest.build()), part);
    }

    /**
     * The wanted properties of a document that was checked before it was stored; the rest is passed
     * over, and what comes behind the last of them is not looked at.
     *
     * @param atMost how many are wanted
     */
    static Map<String, Value> readSome(Bytes bson, Predicate<String> isWanted, int atMost) {
        BsonInput in = new BsonInput(bson);
        int last = in.beginDocument();
        Members.Builder found = new Members.Builder();
        while (in.position() < last && found.size() < atMost) {
            int type = in.int8();
            String name = in.cstring();
            if (isWanted.test(name)) {
                found.putIfNew(name, value(in, type, 1));
            } else {
                skip(in, type);
            }
        }
        return found.build();
    }

    /** Like the other method of this name; the names of other properties are not decoded. */
    static Map<String, Value> readSome(Bytes bson, PropertyNames wanted) {
        BsonInput in = new BsonInput(bson);
        int last = in.beginDocument();
        Members.Builder found = new Members.Builder();
        while (in.position() < last && found.size() < wanted.size()) {
            int type = in.int8();
            String name = in.skipCstring(wanted);
            if (name == null) {
                skip(in, type);
            } else {
                found.putIfNew(name, value(in, type, 1));
            }
        }
        return found.build();
    }

    /**
     * Returns one property of a document that was checked before it was stored; null if there is
     * none of this name. The names of others are not decoded.
     *
     * @param name in UTF-8
     */
    static @Nullable Value readOne(Bytes bson, byte[] name) {
        BsonInput in = new BsonInput(bson);
        int last = in.beginDocument();
        while (in.position() < last) {
            int type = in.int8();
            if (in.skipCstring(name)) {
                return value(in, type, 1);
            }
            skip(in, type);
        }
        return null;
    }

    /** An int64, in the kind that keeps its width. */
    static Value int64(long number) {
        return number == (int) number ? new BsonValue.Int64(number) : Value.of(number);
    }

    private static Value.Obj document(BsonInput in, int depth) {
        requireDepth(in, depth);
        int last = in.beginDocument();
        Members.Builder properties = new Members.Builder();
        while (in.position() < last) {
            int start = in.position();
            int type = in.int8();
            String name = in.cstring();
            if (!properties.putIfNew(name, value(in, type, depth))) {
                throw BsonInput.invalid("The name '" + name + "' comes twice", start);
            }
        }
        in.endDocument(last);
        return new Value.Obj(properties.build());
    }

    /** The names of elements are their positions; they are not looked at. */
    private static Value.Array array(BsonInput in, int depth) {
        requireDepth(in, depth);
        int last = in.beginDocument();
        List<Value> elements = new ArrayList<>();
        while (in.position() < last) {
            int type = in.int8();
            in.skipCstring();
            elements.add(value(in, type, depth));
        }
        in.endDocument(last);
        return new Value.Array(elements);
    }

    private static void requireDepth(BsonInput in, int depth) {
        if (depth > MAX_DEPTH) {
            throw BsonInput.invalid(TOO_DEEP, in.position());
        }
    }

    /** Throws BAD_REQUEST for a document that could be written and not be read again. */
    static void requireReadable(Value.Obj document) {
        requireDepth(document, 1);
    }

    private static void requireDepth(Value value, int depth) {
        switch (value) {
            case Value.Obj(Map<String, Value> properties) -> {
                requireDepth(depth);
                properties.forEach((_, inner) -> requireDepth(inner, depth + 1));
            }
            case Value.Array(List<Value> elements) -> {
                requireDepth(depth);
                elements.forEach(inner -> requireDepth(inner, depth + 1));
            }
            case BsonValue.ScopedCode(String _, Value.Obj scope) -> requireDepth(scope, depth);
            case Value.Undefined _,
                    Value.Null _,
                    Value.Bool _,
                    Value.Int _,
                    Value.Real _,
                    Value.Text _,
                    BsonValue _ -> {}
        }
    }

    private static void requireDepth(int depth) {
        if (depth > MAX_DEPTH) {
            throw JsonInput.invalid(TOO_DEEP);
        }
    }

    private static Value value(BsonInput in, int type, int depth) {
        return switch (type) {
            case DOUBLE -> new Value.Real(Double.longBitsToDouble(in.int64()));
            case STRING -> Value.of(in.string());
            case DOCUMENT -> document(in, depth + 1);
            case ARRAY -> array(in, depth + 1);
            case BINARY -> {
                int length = in.length();
                yield new BsonValue.Binary(in.int8(), in.bytes(length));
            }
            case UNDEFINED -> BsonValue.Undef.UNDEF;
            case OBJECT_ID -> objectId(in);
            case BOOLEAN -> Value.of(in.bool());
            case DATE_TIME -> new BsonValue.DateTime(in.int64());
            case NULL -> Value.Null.NULL;
            case REGEX -> new BsonValue.Regex(in.cstring(), in.cstring());
            case POINTER -> new BsonValue.Pointer(in.string(), objectId(in));
            case CODE -> new BsonValue.Code(in.string());
            case SYMBOL -> new BsonValue.Symbol(in.string());
            case SCOPED_CODE -> scopedCode(in, depth);
            case INT32 -> Value.of((long) in.int32());
            case TIMESTAMP -> {
                int increment = in.int32();
                yield new BsonValue.Timestamp(in.int32(), increment);
            }
            case INT64 -> int64(in.int64());
            case DECIMAL -> {
                long low = in.int64();
                yield new BsonValue.Decimal(in.int64(), low);
            }
            case MIN_KEY -> BsonValue.MinKey.MIN_KEY;
            case MAX_KEY -> BsonValue.MaxKey.MAX_KEY;
            default -> throw unknown(in, type);
        };
    }

    private static Value scopedCode(BsonInput in, int depth) {
        int start = in.position();
        int length = in.int32();
        Value code = new BsonValue.ScopedCode(in.string(), document(in, depth + 1));
        if (in.position() - start != length) {
            throw BsonInput.invalid("A code does not end where it says", start);
        }
        return code;
    }

    private static BsonValue.ObjectId objectId(BsonInput in) {
        return new BsonValue.ObjectId(in.bytes(BsonValue.ObjectId.LENGTH));
    }

    private static void skip(BsonInput in, int type) {
        switch (type) {
            case DOUBLE, DATE_TIME, TIMESTAMP, INT64 -> in.skip(Long.BYTES);
            case INT32 -> in.skip(Integer.BYTES);
            case DECIMAL -> in.skip(2 * Long.BYTES);
            case OBJECT_ID -> in.skip(BsonValue.ObjectId.LENGTH);
            case BOOLEAN -> in.skip(1);
            case NULL, UNDEFINED, MIN_KEY, MAX_KEY -> {}
            case STRING, CODE, SYMBOL -> in.skipString();
            case DOCUMENT, ARRAY -> in.skipDocument();
            case BINARY -> {
                int length = in.length();
                in.skip(1);
                in.skip(length);
            }
            case REGEX -> {
                in.skipCstring();
                in.skipCstring();
            }
            case POINTER -> {
                in.skipString();
                in.skip(BsonValue.ObjectId.LENGTH);
            }
            case SCOPED_CODE -> in.skip(in.int32() - Integer.BYTES);
            default -> throw unknown(in, type);
        }
    }

    private static RuntimeException unknown(BsonInput in, int type) {
        return BsonInput.invalid("The type %02x is unknown".formatted(type), in.position());
    }

    /**
     * Properties that are undefined are left out; in an array they are null. Throws BAD_REQUEST for
     * texts that BSON cannot hold: names with a NUL, halves of surrogate pairs.
     */
    public static Bytes write(Value.Obj document) {
        ByteSink out = new ByteSink();
        put(document, out);
        return out.toBytes();
    }

    /** Puts the fields of a document as {@link #write} does, without the length and the end. */
    public static void putFields(Value.Obj document, ByteSink out) {
        document.properties()
                .forEach(
                        (name, value) -> {
                            if (value.isDefined()) {
                                put(name, value, out);
                            }
                        });
    }

    private static void put(Value.Obj document, ByteSink out) {
        int start = begin(out);
        putFields(document, out);
        end(start, out);
    }

    private static void put(Value.Array array, ByteSink out) {
        int start = begin(out);
        for (int i = 0; i < array.elements().size(); i++) {
            put(Integer.toString(i), array.elements().get(i), out);
        }
        end(start, out);
    }

    private static int begin(ByteSink out) {
        int start = out.length();
        putInt(0, out);
        return start;
    }

    private static void end(int start, ByteSink out) {
        out.put(0);
        setLength(start, out);
    }

    private static void setLength(int start, ByteSink out) {
        int length = out.length() - start;
        for (int i = 0; i < Integer.BYTES; i++) {
            out.unsafeArray()[start + i] = (byte) (length >>> (8 * i));
        }
    }

    private static void put(String name, Value value, ByteSink out) {
        int typeAt = out.length();
        out.put(0);
        putCstring(name, out);
        int type = putValue(value, out);
        out.unsafeArray()[typeAt] = (byte) type; // the buffer may be another one by now
    }

    /** Returns the type of what was put. */
    private static int putValue(Value value, ByteSink out) {
        switch (value) {
            case Value.Undefined _, Value.Null _ -> {
                return NULL;
            }
            case Value.Bool(boolean truth) -> {
                out.put(truth ? 1 : 0);
                return BOOLEAN;
            }
            case Value.Int(long number) -> {
                if (number == (int) number) {
                    putInt((int) number, out);
                    return INT32;
                }
                putLong(number, out);
                return INT64;
            }
            case Value.Real(double number) -> {
                putLong(Double.doubleToRawLongBits(number), out);
                return DOUBLE;
            }
            case Value.Text(String text) -> {
                putString(text, out);
                return STRING;
            }
            case Value.Array array -> {
                put(array, out);
                return ARRAY;
            }
            case Value.Obj object -> {
                put(object, out);
                return DOCUMENT;
            }
            case BsonValue bson -> {
                return putBson(bson, out);
            }
        }
    }

    private static int putBson(BsonValue value, ByteSink out) {
        switch (value) {
            case BsonValue.MinKey _ -> {
                return MIN_KEY;
            }
            case BsonValue.MaxKey _ -> {
                return MAX_KEY;
            }
            case BsonValue.Undef _ -> {
                return UNDEFINED;
            }
            case BsonValue.Int64(long number) -> {
                putLong(number, out);
                return INT64;
            }
            case BsonValue.Decimal(long high, long low) -> {
                putLong(low, out);
                putLong(high, out);
                return DECIMAL;
            }
            case BsonValue.Binary(int subtype, Bytes data) -> {
                putInt(data.length(), out);
                out.put(subtype).put(data);
                return BINARY;
            }
            case BsonValue.ObjectId(Bytes id) -> {
                out.put(id);
                return OBJECT_ID;
            }
            case BsonValue.DateTime(long millis) -> {
                putLong(millis, out);
                return DATE_TIME;
            }
            case BsonValue.Timestamp(int seconds, int increment) -> {
                putInt(increment, out);
                putInt(seconds, out);
                return TIMESTAMP;
            }
            case BsonValue.Regex(String pattern, String options) -> {
                putCstring(pattern, out);
                putCstring(options, out);
                return REGEX;
            }
            case BsonValue.Pointer(String namespace, BsonValue.ObjectId(Bytes id)) -> {
                putString(namespace, out);
                out.put(id);
                return POINTER;
            }
            case BsonValue.Code(String code) -> {
                putString(code, out);
                return CODE;
            }
            case BsonValue.Symbol(String name) -> {
                putString(name, out);
                return SYMBOL;
            }
            case BsonValue.ScopedCode(String code, Value.Obj scope) -> {
                int start = begin(out);
                putString(code, out);
                put(scope, out);
                setLength(start, out);
                return SCOPED_CODE;
            }
        }
    }

    private static void putInt(int number, ByteSink out) {
        for (int shift = 0; shift < Integer.SIZE; shift += 8) {
            out.put(number >>> shift);
        }
    }

    private static void putLong(long number, ByteSink out) {
        out.putLong(Long.reverseBytes(number));
    }

    private static void putString(String text, ByteSink out) {
        byte[] utf8 = utf8(text);
        putInt(utf8.length + 1, out);
        out.put(utf8).put(0);
    }

    private static void putCstring(String text, ByteSink out) {
        if (text.indexOf('\0') >= 0) {
            throw JsonInput.invalid("A name or pattern holds a NUL, which BSON cannot keep there");
        }
        out.put(utf8(text)).put(0);
    }

    private static byte[] utf8(String text) {
        if (Utf8.hasLoneSurrogate(text)) {
            throw JsonInput.invalid("A text holds half a surrogate pair, which BSON cannot keep");
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
