package orrery.document.edm;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import orrery.document.ByteSink;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.FileTime;

/**
 * A value of a property in a table. An item holds it as the service does, as an object of a type
 * and a JSON value: {@code {"$t":16,"$v":5}}. So all APIs read it, and none loses its type.
 */
public sealed interface EdmValue {
    String TYPE = "$t";
    String CONTENT = "$v";

    /** The texts in front of the type and of the content in a stored property. */
    String STORED_TYPE = "{\"" + TYPE + "\":";

    String STORED_CONTENT = ",\"" + CONTENT + "\":";

    record Text(String value) implements EdmValue {}

    record Int32(int value) implements EdmValue {}

    record Int64(long value) implements EdmValue {}

    record Real(double value) implements EdmValue {}

    record Bool(boolean value) implements EdmValue {}

    record Guid(UUID value) implements EdmValue {}

    record Binary(Bytes value) implements EdmValue {}

    /**
     * @param ticks steps of 100 nanoseconds since the beginning of the year 1
     */
    record Moment(long ticks) implements EdmValue {
        /** The ticks from the year 1 to 1601, in which the time of etags begins. */
        private static final long TICKS_TO_1601 = 504_911_232_000_000_000L;

        public Moment {
            if (ticks < 0) {
                throw new IllegalArgumentException("a moment before the year 1");
            }
        }

        public static Moment of(FileTime time) {
            return new Moment(time.ticks() + TICKS_TO_1601);
        }

        /** Returns the time as etags have it; 1601 for all that was before. */
        public FileTime toFileTime() {
            return new FileTime(Math.max(0, ticks - TICKS_TO_1601));
        }
    }

    default EdmType type() {
        return switch (this) {
            case Text _ -> EdmType.STRING;
            case Int32 _ -> EdmType.INT32;
            case Int64 _ -> EdmType.INT64;
            case Real _ -> EdmType.DOUBLE;
            case Bool _ -> EdmType.BOOLEAN;
            case Guid _ -> EdmType.GUID;
            case Binary _ -> EdmType.BINARY;
            case Moment _ -> EdmType.DATETIME;
        };
    }

    /** Appends the object that an item holds for it. */
    default void writeStored(ByteSink out) {
        out.putAscii(STORED_TYPE).putAscii(Integer.toString(type().tag()));
        out.putAscii(STORED_CONTENT);
        JsonText.write(content(), out);
        out.put('}');
    }

    /** Returns the JSON value in that object, which the index holds. */
    default Value content() {
        return switch (this) {
            case Text(String value) -> Value.of(value);
            case Int32(int value) -> Value.of(value);
            case Int64(long value) -> Value.of(padded(value));
            // JSON has no such numbers, and its zero has no sign.
            case Real(double value) when !Double.isFinite(value) || isNegativeZero(value) ->
                    Value.of(Double.toString(value));
            case Real(double value) -> Value.of(value);
            case Bool(boolean value) -> Value.of(value);
            case Guid(UUID value) -> Value.of(value.toString());
            case Binary(Bytes value) ->
                    Value.of(new String(value.unsafeArray(), StandardCharsets.ISO_8859_1));
            case Moment(long ticks) -> Value.of(padded(ticks));
        };
    }

    private static boolean isNegativeZero(double value) {
        return value == 0 && Double.doubleToRawLongBits(value) != 0;
    }

    /** Twenty digits, so that texts sort like the numbers, but for negative ones. */
    private static String padded(long value) {
        String digits = Long.toUnsignedString(Math.abs(value));
        return (value < 0 ? "-" : "") + "0".repeat(20 - digits.length()) + digits;
    }

    /** Returns the value that an item holds; empty for what no table has written. */
    static Optional<EdmValue> ofStored(Value stored) {
        if (!(stored instanceof Value.Obj(Map<String, Value> members))
                || !(members.get(TYPE) instanceof Value.Int(long tag))) {
            return Optional.empty();
        }
        Value content = members.get(CONTENT);
        return content == null
                ? Optional.empty()
                : EdmType.ofTag(tag).flatMap(type -> ofContent(type, content));
    }

    /**
     * Returns the value of a type whose JSON value an item holds; empty for what no table has
     * written.
     */
    static Optional<EdmValue> ofContent(EdmType type, Value content) {
        try {
            return switch (content) {
                case Value.Text(String text) -> ofText(type, text);
                case Value.Bool(boolean value) when type == EdmType.BOOLEAN ->
                        Optional.of(new Bool(value));
                case Value.Int(long value) when type == EdmType.INT32 ->
                        Optional.of(new Int32(Math.toIntExact(value)));
                case Value.Int(long value) when type == EdmType.DOUBLE ->
                        Optional.of(new Real(value));
                case Value.Real(double value) when type == EdmType.DOUBLE ->
                        Optional.of(new Real(value));
                default -> Optional.empty();
            };
        } catch (IllegalArgumentException | ArithmeticException notOurs) {
            return Optional.empty();
        }
    }

    private static Optional<EdmValue> ofText(EdmType type, String text) {
        return switch (type) {
            case STRING -> Optional.of(new Text(text));
            case INT64 -> Optional.of(new Int64(Long.parseLong(text)));
            case DATETIME -> Optional.of(new Moment(Long.parseLong(text)));
            case GUID -> Optional.of(new Guid(UUID.fromString(text)));
            case BINARY -> Optional.of(new Binary(bytes(text)));
            case DOUBLE -> Optional.of(new Real(Double.parseDouble(text)));
            case BOOLEAN, INT32 -> Optional.empty();
        };
    }

    private static Bytes bytes(String text) {
        byte[] bytes = new byte[text.length()];
        for (int i = 0; i < bytes.length; i++) {
            if (text.charAt(i) > 0xFF) {
                throw new IllegalArgumentException("not a text of bytes");
            }
            bytes[i] = (byte) text.charAt(i);
        }
        return Bytes.wrap(bytes);
    }
}
