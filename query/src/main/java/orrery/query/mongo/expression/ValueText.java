package orrery.query.mongo.expression;

import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.Collectors;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.model.Bytes;

/** Writes values into messages, in the notation that the server uses there. */
public final class ValueText {
    /** A message names what is wrong; it does not repeat a whole document. */
    private static final int MAX_LENGTH = 400;

    private ValueText() {}

    public static String of(Value value) {
        String text = text(value);
        return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "...";
    }

    /** A field as {@code name: value}. */
    public static String field(String name, Value value) {
        return name + ": " + of(value);
    }

    private static String text(Value value) {
        return switch (value) {
            case Value.Undefined _ -> "MISSING";
            case Value.Null _ -> "null";
            case Value.Bool(boolean truth) -> Boolean.toString(truth);
            case Value.Real(double number) -> real(number);
            case Value.Int(long number) -> Long.toString(number);
            case Value.Text(String text) -> '"' + text + '"';
            case Value.Array(var elements) ->
                    elements.isEmpty()
                            ? "[]"
                            : elements.stream()
                                    .limit(MAX_LENGTH)
                                    .map(ValueText::text)
                                    .collect(Collectors.joining(", ", "[ ", " ]"));
            case Value.Obj(Map<String, Value> properties) ->
                    properties.isEmpty()
                            ? "{}"
                            : properties.entrySet().stream()
                                    .limit(MAX_LENGTH)
                                    .map(each -> each.getKey() + ": " + text(each.getValue()))
                                    .collect(Collectors.joining(", ", "{ ", " }"));
            case BsonValue bson -> text(bson);
        };
    }

    private static String text(BsonValue value) {
        return switch (value) {
            case BsonValue.Int64(long number) -> Long.toString(number);
            case BsonValue.MinKey _ -> "MinKey";
            case BsonValue.MaxKey _ -> "MaxKey";
            case BsonValue.Undef _ -> "undefined";
            case BsonValue.Binary(int subtype, Bytes data) ->
                    "BinData(" + subtype + ", " + hex(data) + ")";
            case BsonValue.ObjectId(Bytes id) -> "ObjectId('" + hex(id) + "')";
            case BsonValue.DateTime(long millis) -> "new Date(" + millis + ")";
            case BsonValue.Timestamp(int seconds, int increment) ->
                    "Timestamp("
                            + Integer.toUnsignedLong(seconds)
                            + ", "
                            + Integer.toUnsignedLong(increment)
                            + ")";
            case BsonValue.Regex(String pattern, String options) -> "/" + pattern + "/" + options;
            case BsonValue.Code(String code) -> code;
            case BsonValue.ScopedCode(String code, Value.Obj scope) ->
                    "CodeWScope( " + code + ", " + text(scope) + ")";
            case BsonValue.Symbol(String name) -> '"' + name + '"';
            case BsonValue.Pointer(String namespace, var id) ->
                    "DBRef('" + namespace + "', " + hex(id.value()) + ")";
            case BsonValue.Decimal decimal -> decimal.toString();
        };
    }

    /** A double shows that it is none of the integers. */
    private static String real(double number) {
        return number == Math.rint(number) && Math.abs(number) < 1e15
                ? (long) number + ".0"
                : Double.toString(number);
    }

    static String hex(Bytes bytes) {
        return HexFormat.of().formatHex(bytes.unsafeArray());
    }

    /** The time as text in ISO 8601, with thousandths. */
    static String iso(long millis) {
        String text = Instant.ofEpochMilli(millis).toString();
        return text.indexOf('.') >= 0 ? text : text.substring(0, text.length() - 1) + ".000Z";
    }
}
