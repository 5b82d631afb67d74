package orrery.query.mongo.expression;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.query.mongo.MongoCode;

/** Operators that make and compare texts. */
final class TextOperators {
    /** The characters that are cut off where none are named. */
    private static final Set<Integer> BLANKS =
            Set.of(
                    0, 0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0xA0, 0x1680, 0x2000, 0x2001, 0x2002,
                    0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200A);

    private TextOperators() {}

    static void addTo(Map<String, ExpressionReader.Operator> table) {
        table.put("$concat", Operands.ofMany(TextOperators::concat));
        table.put("$toLower", Operands.ofAny("$toLower", value -> changed(value, false)));
        table.put("$toUpper", Operands.ofAny("$toUpper", value -> changed(value, true)));
        table.put("$strcasecmp", TextOperators::compareIgnoringCase);
        table.put("$split", Operands.ofTwo("$split", TextOperators::split));
        table.put("$trim", trim("$trim", true, true));
        table.put("$ltrim", trim("$ltrim", true, false));
        table.put("$rtrim", trim("$rtrim", false, true));
        table.put(
                "$strLenBytes",
                Operands.ofAny(
                        "$strLenBytes",
                        value -> Value.of(utf8Length(required("$strLenBytes", 34473, value)))));
        table.put(
                "$strLenCP",
                Operands.ofAny(
                        "$strLenCP",
                        value -> {
                            String text = required("$strLenCP", 34471, value);
                            return Value.of(text.codePointCount(0, text.length()));
                        }));
    }

    static long utf8Length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static String required(String name, int code, Value value) {
        if (value instanceof Value.Text(String text)) {
            return text;
        }
        throw MongoCode.failure(
                code, name + " requires a string argument, found: " + TypeNames.of(value));
    }

    private static Value concat(List<Value> operands) {
        StringBuilder text = new StringBuilder();
        for (Value operand : operands) {
            if (Operands.isNullish(operand)) {
                return Value.Null.NULL;
            }
            if (!(operand instanceof Value.Text(String part))) {
                throw MongoCode.failure(
                        16702, "$concat only supports strings, not " + TypeNames.of(operand));
            }
            Operands.requireRoom((long) text.length() + part.length());
            text.append(part);
        }
        return Value.of(text.toString());
    }

    /** Numbers and dates have a text too; null has the empty one. */
    static String coerced(String name, Value value) {
        return switch (value) {
            case Value.Undefined _, Value.Null _, BsonValue.Undef _ -> "";
            case Value.Text(String text) -> text;
            case BsonValue.Symbol(String text) -> text;
            case BsonValue.Code(String code) -> code;
            case Value.Int(long number) -> Long.toString(number);
            case BsonValue.Int64(long number) -> Long.toString(number);
            case Value.Real(double number) -> Conversions.text(number);
            case BsonValue.Decimal decimal -> decimal.toString();
            case BsonValue.DateTime(long millis) -> ValueText.iso(millis);
            case BsonValue.Timestamp timestamp -> ValueText.of(timestamp);
            default ->
                    throw MongoCode.failure(
                            16007,
                            "can't convert from BSON type "
                                    + TypeNames.of(value)
                                    + " to String in "
                                    + name);
        };
    }

    /** Only letters of ASCII have two cases here. */
    private static Value changed(Value value, boolean toUpper) {
        String text = coerced(toUpper ? "$toUpper" : "$toLower", value);
        StringBuilder out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            boolean isOther = toUpper ? each >= 'a' && each <= 'z' : each >= 'A' && each <= 'Z';
            out.append(isOther ? (char) (each ^ 0x20) : each);
        }
        return Value.of(out.toString());
    }

    private static Expression compareIgnoringCase(Value operand, ExpressionReader reader) {
        List<Expression> both = Operands.exactly("$strcasecmp", 2, operand, reader);
        return variables -> {
            Value left = changed(both.getFirst().evaluate(variables), true);
            Value right = changed(both.getLast().evaluate(variables), true);
            return Value.of(
                    Integer.signum(orrery.query.mongo.MongoOrder.SIMPLE.compare(left, right)));
        };
    }

    private static Value split(Value value, Value separator) {
        if (!(value instanceof Value.Text(String text))) {
            throw MongoCode.failure(
                    40085,
                    "$split requires an expression that evaluates to a string as a first argument,"
                            + " found: "
                            + TypeNames.of(value));
        }
        if (!(separator instanceof Value.Text(String mark))) {
            throw MongoCode.failure(
                    40086,
                    "$split requires an expression that evaluates to a string as a second"
                            + " argument, found: "
                            + TypeNames.of(separator));
        }
        if (mark.isEmpty()) {
            throw MongoCode.failure(40087, "$split requires a non-empty separator");
        }
        List<Value> parts = new ArrayList<>();
        int from = 0;
        for (int at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, from)) {
            parts.add(Value.of(text.substring(from, at)));
            from = at + mark.length();
        }
        parts.add(Value.of(text.substring(from)));
        return new Value.Array(parts);
    }

    private static ExpressionReader.Operator trim(String name, boolean start, boolean end) {
        return (operand, reader) -> {
            Operands.Named named =
                    Operands.named(name, 50696, 50694, operand, reader, "input", "chars");
            Expression input = named.required("input", 50695);
            Expression chars = named.or("chars", Value.Undefined.UNDEFINED);
            boolean hasChars = named.find("chars").isPresent();
            return variables -> {
                Value value = input.evaluate(variables);
                Value given = chars.evaluate(variables);
                if (Operands.isNullish(value) || (hasChars && Operands.isNullish(given))) {
                    return Value.Null.NULL;
                }
                String text = trimmed(name, 50699, "input", value);
                Set<Integer> cut =
                        hasChars
                                ? trimmed(name, 50700, "chars", given)
                                        .codePoints()
                                        .boxed()
                                        .collect(Collectors.toSet())
                                : BLANKS;
                return Value.of(trim(text, cut, start, end));
            };
        };
    }

    private static String trimmed(String name, int code, String what, Value value) {
        if (value instanceof Value.Text(String text)) {
            return text;
        }
        throw MongoCode.failure(
                code,
                "%s requires its %s to be a string, got %s (of type %s) instead."
                        .formatted(name, what, ValueText.of(value), TypeNames.of(value)));
    }

    private static String trim(String text, Set<Integer> cut, boolean start, boolean end) {
        int from = 0;
        int to = text.length();
        while (start && from < to && cut.contains(text.codePointAt(from))) {
            from += Character.charCount(text.codePointAt(from));
        }
        while (end && to > from && cut.contains(text.codePointBefore(to))) {
            to -= Character.charCount(text.codePointBefore(to));
        }
        return text.substring(from, to);
    }
}
