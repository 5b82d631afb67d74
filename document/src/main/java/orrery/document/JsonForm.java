package orrery.document;

import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;

/**
 * The form in JSON of kinds that JSON lacks: relaxed Extended JSON, version 2. SQL, the change feed
 * and scripts see this form of an item that is stored in BSON, and may write it. Numbers are plain
 * JSON numbers if they are finite, whatever their width; a decimal is an object. See docs/adr/0024.
 */
public final class JsonForm {
    private static final Set<String> MARKS =
            Set.of(
                    "$numberDouble",
                    "$numberDecimal",
                    "$numberLong",
                    "$numberInt",
                    "$oid",
                    "$date",
                    "$binary",
                    "$timestamp",
                    "$regularExpression",
                    "$minKey",
                    "$maxKey",
                    "$undefined",
                    "$symbol",
                    "$code",
                    "$dbPointer");

    private static final HexFormat HEX = HexFormat.of();

    private JsonForm() {}

    /** The value in kinds that JSON has; the value itself if it has no others. */
    public static Value of(Value value) {
        return switch (value) {
            case Value.Undefined _, Value.Null _, Value.Bool _, Value.Int _, Value.Text _ -> value;
            case Value.Real(double number) ->
                    Double.isFinite(number)
                            ? Value.of(number)
                            : form("$numberDouble", Value.of(Double.toString(number)));
            case Value.Array(List<Value> elements) ->
                    new Value.Array(elements.stream().map(JsonForm::of).toList());
            case Value.Obj object -> of(object);
            case BsonValue bson -> of(bson);
        };
    }

    public static Value.Obj of(Value.Obj object) {
        Map<String, Value> properties = new LinkedHashMap<>();
        object.properties().forEach((name, value) -> properties.put(name, of(value)));
        return new Value.Obj(properties);
    }

    private static Value of(BsonValue value) {
        return switch (value) {
            case BsonValue.Int64(long number) -> Value.of(number);
            case BsonValue.Decimal decimal -> form("$numberDecimal", Value.of(decimal.toString()));
            case BsonValue.ObjectId id -> oid(id);
            case BsonValue.DateTime(long millis) ->
                    form(
                            "$date",
                            IsoTime.hasText(millis)
                                    ? Value.of(IsoTime.format(millis))
                                    : form("$numberLong", Value.of(Long.toString(millis))));
            case BsonValue.Binary(int subtype, Bytes data) ->
                    form(
                            "$binary",
                            object(
                                    "base64",
                                    Value.of(
                                            Base64.getEncoder().encodeToString(data.unsafeArray())),
                                    "subType",
                                    Value.of(HEX.toHexDigits((byte) subtype))));
            case BsonValue.Timestamp(int seconds, int increment) ->
                    form(
                            "$timestamp",
                            object(
                                    "t",
                                    Value.of(Integer.toUnsignedLong(seconds)),
                                    "i",
                                    Value.of(Integer.toUnsignedLong(increment))));
            case BsonValue.Regex(String pattern, String options) ->
                    form(
                            "$regularExpression",
                            object("pattern", Value.of(pattern), "options", Value.of(options)));
            case BsonValue.MinKey _ -> form("$minKey", Value.of(1));
            case BsonValue.MaxKey _ -> form("$maxKey", Value.of(1));
            case BsonValue.Undef _ -> form("$undefined", Value.of(true));
            case BsonValue.Symbol(String name) -> form("$symbol", Value.of(name));
            case BsonValue.Code(String code) -> form("$code", Value.of(code));
            case BsonValue.ScopedCode(String code, Value.Obj scope) ->
                    object("$code", Value.of(code), "$scope", of(scope));
            case BsonValue.Pointer(String namespace, BsonValue.ObjectId id) ->
                    form("$dbPointer", object("$ref", Value.of(namespace), "$id", oid(id)));
        };
    }

    private static Value oid(BsonValue.ObjectId id) {
        return form("$oid", Value.of(HEX.formatHex(id.value().unsafeArray())));
    }

    private static Value.Obj form(String mark, Value content) {
        return new Value.Obj(Map.of(mark, content));
    }

    private static Value.Obj object(String first, Value left, String second, Value right) {
        Map<String, Value> properties = new LinkedHashMap<>();
        properties.put(first, left);
        properties.put(second, right);
        return new Value.Obj(properties);
    }

    /**
     * The value whose JSON form this is. An object that begins with one of the marks must be a
     * whole form: BAD_REQUEST otherwise. Integers that 32 bits hold become int32, longer ones
     * int64, other numbers doubles.
     */
    public static Value parse(Value json) {
        return parse(json, Marks.MUST_FIT);
    }

    /** Says what becomes of an object that begins with a mark and is no form. */
    private enum Marks {
        MUST_FIT,

        /** It stays an object. */
        MAY_BE_OBJECTS
    }

    private static Value parse(Value json, Marks marks) {
        return switch (json) {
            case Value.Obj object -> parse(object, marks);
            case Value.Array(List<Value> elements) -> {
                List<Value> parsed = new ArrayList<>(elements.size());
                elements.forEach(element -> parsed.add(parse(element, marks)));
                yield new Value.Array(parsed);
            }
            case Value.Undefined _,
                    Value.Null _,
                    Value.Bool _,
                    Value.Int _,
                    Value.Real _,
                    Value.Text _,
                    BsonValue _ ->
                    json;
        };
    }

    private static Value parse(Value.Obj object, Marks marks) {
        Map<String, Value> properties = object.properties();
        if (properties.isEmpty()) {
            return object;
        }
        String mark = properties.keySet().iterator().next();
        if (MARKS.contains(mark)) {
            Value parsed = marked(mark, properties, marks);
            if (parsed != null) {
                return parsed;
            }
            if (marks == Marks.MUST_FIT) {
                throw JsonInput.invalid(
                        "An object begins with '" + mark + "' and is not a value of that kind");
            }
        }
        return properties(properties, marks);
    }

    /**
     * An item that was written as JSON, in kinds of BSON. It is no form itself, and what only looks
     * like a form in it is an object: its writer may not have thought of forms.
     */
    static Value.Obj readable(Map<String, Value> json) {
        return properties(json, Marks.MAY_BE_OBJECTS);
    }

    /** The properties of an item, which is no form itself. */
    private static Value.Obj properties(Map<String, Value> json, Marks marks) {
        Map<String, Value> parsed = new LinkedHashMap<>();
        json.forEach((name, value) -> parsed.put(name, parse(value, marks)));
        return new Value.Obj(parsed);
    }

    /**
     * Throws BAD_REQUEST where a document of BSON has an object inside that in JSON would look like
     * another kind.
     */
    static void requireUnmistakable(Value.Obj document) {
        document.properties().values().forEach(value -> value.visit(JsonForm::requireNoMark));
    }

    private static void requireNoMark(Value value) {
        if (value instanceof Value.Obj(Map<String, Value> properties)) {
            properties.keySet().stream()
                    .findFirst()
                    .filter(MARKS::contains)
                    .ifPresent(
                            mark -> {
                                throw JsonInput.invalid(
                                        "An object that begins with '"
                                                + mark
                                                + "' cannot be told from a value of that kind in"
                                                + " JSON");
                            });
        }
    }

    private static @Nullable Value marked(String mark, Map<String, Value> properties, Marks marks) {
        Value content = properties.get(mark);
        if (content == null) {
            return null;
        }
        if (mark.equals("$code")) {
            return code(content, properties, marks);
        }
        if (properties.size() != 1) {
            return null;
        }
        return switch (content) {
            case Value.Text(String text) -> ofText(mark, text);
            case Value.Obj(Map<String, Value> parts) -> ofParts(mark, parts);
            case Value.Int(long number) ->
                    number != 1
                            ? null
                            : switch (mark) {
                                case "$minKey" -> BsonValue.MinKey.MIN_KEY;
                                case "$maxKey" -> BsonValue.MaxKey.MAX_KEY;
                                default -> null;
                            };
            case Value.Bool(boolean truth) ->
                    truth && mark.equals("$undefined") ? BsonValue.Undef.UNDEF : null;
            case Value.Undefined _, Value.Null _, Value.Real _, Value.Array _, BsonValue _ -> null;
        };
    }

    private static @Nullable Value code(Value content, Map<String, Value> properties, Marks marks) {
        if (!(content instanceof Value.Text(String code))) {
            return null;
        }
        if (properties.size() == 1) {
            return new BsonValue.Code(code);
        }
        return properties.size() == 2
                        && properties.get("$scope") instanceof Value.Obj(Map<String, Value> scope)
                ? new BsonValue.ScopedCode(code, properties(scope, marks))
                : null;
    }

    private static @Nullable Value ofText(String mark, String text) {
        return switch (mark) {
            case "$symbol" -> new BsonValue.Symbol(text);
            case "$oid" -> objectId(text);
            case "$date" -> {
                var millis = IsoTime.parse(text);
                yield millis.isPresent() ? new BsonValue.DateTime(millis.getAsLong()) : null;
            }
            case "$numberDecimal" -> BsonValue.Decimal.parse(text).orElse(null);
            case "$numberInt", "$numberLong" -> integer(mark, text);
            case "$numberDouble" -> real(text);
            default -> null;
        };
    }

    private static BsonValue.@Nullable ObjectId objectId(String text) {
        return text.length() == 2 * BsonValue.ObjectId.LENGTH && isHex(text)
                ? new BsonValue.ObjectId(Bytes.wrap(HEX.parseHex(text)))
                : null;
    }

    private static boolean isHex(String text) {
        return text.chars().allMatch(HexFormat::isHexDigit);
    }

    private static @Nullable Value integer(String mark, String text) {
        try {
            long number = Long.parseLong(text);
            if (mark.equals("$numberInt")) {
                return number == (int) number ? Value.of(number) : null;
            }
            return BsonCodec.int64(number);
        } catch (NumberFormatException notOne) {
            return null;
        }
    }

    private static @Nullable Value real(String text) {
        return switch (text) {
            case "NaN" -> new Value.Real(Double.NaN);
            case "Infinity" -> new Value.Real(Double.POSITIVE_INFINITY);
            case "-Infinity" -> new Value.Real(Double.NEGATIVE_INFINITY);
            default -> {
                try {
                    double number = Double.parseDouble(text);
                    yield Double.isFinite(number) ? new Value.Real(number) : null;
                } catch (NumberFormatException notOne) {
                    yield null;
                }
            }
        };
    }

    private static @Nullable Value ofParts(String mark, Map<String, Value> parts) {
        return switch (mark) {
            case "$date" -> date(parts);
            case "$binary" -> binary(parts);
            case "$timestamp" ->
                    parts.size() == 2
                                    && parts.get("t") instanceof Value.Int(long seconds)
                                    && parts.get("i") instanceof Value.Int(long increment)
                                    && isUnsigned(seconds)
                                    && isUnsigned(increment)
                            ? new BsonValue.Timestamp((int) seconds, (int) increment)
                            : null;
            case "$regularExpression" ->
                    parts.size() == 2
                                    && parts.get("pattern") instanceof Value.Text(String pattern)
                                    && parts.get("options") instanceof Value.Text(String options)
                            ? new BsonValue.Regex(pattern, options)
                            : null;
            case "$dbPointer" -> pointer(parts);
            default -> null;
        };
    }

    private static @Nullable Value date(Map<String, Value> parts) {
        if (parts.size() != 1 || !(parts.get("$numberLong") instanceof Value.Text(String text))) {
            return null;
        }
        try {
            return new BsonValue.DateTime(Long.parseLong(text));
        } catch (NumberFormatException notOne) {
            return null;
        }
    }

    private static @Nullable Value pointer(Map<String, Value> parts) {
        return parts.size() == 2
                        && parts.get("$ref") instanceof Value.Text(String namespace)
                        && parts.get("$id") instanceof Value.Obj id
                        && parse(id, Marks.MAY_BE_OBJECTS) instanceof BsonValue.ObjectId objectId
                ? new BsonValue.Pointer(namespace, objectId)
                : null;
    }

    private static boolean isUnsigned(long number) {
        return number >= 0 && number <= 0xFFFF_FFFFL;
    }

    private static @Nullable Value binary(Map<String, Value> parts) {
        if (parts.size() != 2
                || !(parts.get("base64") instanceof Value.Text(String base64))
                || !(parts.get("subType") instanceof Value.Text(String subtype))
                || subtype.isEmpty()
                || subtype.length() > 2
                || !isHex(subtype)) {
            return null;
        }
        try {
            return new BsonValue.Binary(
                    HexFormat.fromHexDigits(subtype),
                    Bytes.wrap(Base64.getDecoder().decode(base64)));
        } catch (IllegalArgumentException notBase64) {
            return null;
        }
    }
}
