package orrery.query.mongo.expression;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import orrery.document.Value;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoNumbers;

/** Parts of texts, by bytes of UTF-8 or by code points. */
final class SubstringOperators {
    private SubstringOperators() {}

    static void addTo(Map<String, ExpressionReader.Operator> table) {
        table.put("$substr", SubstringOperators::ofBytes);
        table.put("$substrBytes", SubstringOperators::ofBytes);
        table.put("$substrCP", SubstringOperators::ofCodePoints);
        table.put("$indexOfBytes", indexOf("$indexOfBytes", true));
        table.put("$indexOfCP", indexOf("$indexOfCP", false));
    }

    private static Expression ofBytes(Value operand, ExpressionReader reader) {
        List<Expression> operands = Operands.exactly("$substrBytes", 3, operand, reader);
        return variables -> {
            List<Value> values = Operands.evaluated(operands, variables);
            byte[] text =
                    TextOperators.coerced("$substrBytes", values.get(0))
                            .getBytes(StandardCharsets.UTF_8);
            long from = number(16034, "starting index", values.get(1));
            long length = number(16035, "length", values.get(2));
            if (from < 0) {
                throw MongoCode.failure(
                        50752,
                        "$substrBytes:  starting index must be non-negative (got: " + from + ")");
            }
            if (from >= text.length) {
                return Value.of("");
            }
            long end = length < 0 ? text.length : Math.min(text.length, from + length);
            if (isInside(text, (int) from)) {
                throw MongoCode.failure(
                        28656,
                        "$substrBytes:  Invalid range, starting index is a UTF-8 continuation"
                                + " byte.");
            }
            if (end < text.length && isInside(text, (int) end)) {
                throw MongoCode.failure(
                        28657,
                        "$substrBytes:  Invalid range, ending index is in the middle of a UTF-8"
                                + " character.");
            }
            return Value.of(
                    new String(text, (int) from, (int) (end - from), StandardCharsets.UTF_8));
        };
    }

    private static boolean isInside(byte[] text, int at) {
        return (text[at] & 0xC0) == 0x80;
    }

    private static long number(int code, String what, Value value) {
        if (!Numbers.isNumber(value)) {
            throw MongoCode.failure(
                    code,
                    "$substrBytes:  %s must be a numeric type (is BSON type %s)"
                            .formatted(what, TypeNames.of(value)));
        }
        return MongoNumbers.truncated(value)
                .orElse(Numbers.toDouble(value) > 0 ? Integer.MAX_VALUE : -1);
    }

    private static Expression ofCodePoints(Value operand, ExpressionReader reader) {
        List<Expression> operands = Operands.exactly("$substrCP", 3, operand, reader);
        return variables -> {
            List<Value> values = Operands.evaluated(operands, variables);
            String text = TextOperators.coerced("$substrCP", values.get(0));
            long from = whole(34450, 34451, 34455, "starting index", values.get(1));
            long length = whole(34452, 34453, 34454, "length", values.get(2));
            int count = text.codePointCount(0, text.length());
            if (from >= count) {
                return Value.of("");
            }
            int start = text.offsetByCodePoints(0, (int) from);
            int end = text.offsetByCodePoints(start, (int) Math.min(length, count - from));
            return Value.of(text.substring(start, end));
        };
    }

    private static long whole(int notNumber, int notWhole, int negative, String what, Value value) {
        if (!Numbers.isNumber(value)) {
            throw MongoCode.failure(
                    notNumber,
                    "$substrCP: %s must be a numeric type (is BSON type %s)"
                            .formatted(what, TypeNames.of(value)));
        }
        long number =
                MongoNumbers.whole(value)
                        .orElseThrow(
                                () ->
                                        MongoCode.failure(
                                                notWhole,
                                                "$substrCP: "
                                                        + what
                                                        + " cannot be represented as a 32-bit"
                                                        + " integral value: "
                                                        + ValueText.of(value)));
        if (number < 0) {
            throw MongoCode.failure(
                    negative, "$substrCP: the " + what + " must be nonnegative integer.");
        }
        return number;
    }

    private static ExpressionReader.Operator indexOf(String name, boolean isBytes) {
        return (operand, reader) -> {
            List<Expression> operands = Operands.between(name, 2, 4, operand, reader);
            return variables -> {
                List<Value> values = Operands.evaluated(operands, variables);
                if (Operands.isNullish(values.getFirst())) {
                    return Value.Null.NULL;
                }
                String text = string(name, isBytes ? 40091 : 40093, "first", values.get(0));
                String wanted = string(name, isBytes ? 40092 : 40094, "second", values.get(1));
                return Value.of(
                        isBytes
                                ? indexOf(name, bytes(text), bytes(wanted), values)
                                : indexOf(name, points(text), points(wanted), values));
            };
        };
    }

    private static String string(String name, int code, String which, Value value) {
        if (value instanceof Value.Text(String text)) {
            return text;
        }
        throw MongoCode.failure(
                code,
                "%s requires a string as the %s argument, found: %s"
                        .formatted(name, which, TypeNames.of(value)));
    }

    private static int[] bytes(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        int[] units = new int[utf8.length];
        for (int i = 0; i < units.length; i++) {
            units[i] = utf8[i];
        }
        return units;
    }

    private static int[] points(String text) {
        return text.codePoints().toArray();
    }

    private static long indexOf(String name, int[] text, int[] wanted, List<Value> operands) {
        long from = operands.size() > 2 ? bound(name, "starting", operands.get(2)) : 0;
        long end =
                Math.min(
                        text.length,
                        operands.size() > 3 ? bound(name, "ending", operands.get(3)) : text.length);
        for (long at = from; at + wanted.length <= end; at++) {
            if (isAt(text, wanted, (int) at)) {
                return at;
            }
        }
        return -1;
    }

    private static boolean isAt(int[] text, int[] wanted, int at) {
        for (int i = 0; i < wanted.length; i++) {
            if (text[at + i] != wanted[i]) {
                return false;
            }
        }
        return true;
    }

    /** The bound of a search, which is a place and not negative. */
    static long bound(String name, String which, Value value) {
        long bound =
                MongoNumbers.whole(value)
                        .orElseThrow(
                                () ->
                                        MongoCode.failure(
                                                40096,
                                                ("%s requires an integral %s index, found a value of type: %s, with "
                                                                + "value: %s")
                                                        .formatted(
                                                                name,
                                                                which,
                                                                TypeNames.of(value),
                                                                ValueText.of(value))));
        if (bound < 0) {
            throw MongoCode.failure(
                    40097,
                    "%s requires a nonnegative %s index, found: %d".formatted(name, which, bound));
        }
        return bound;
    }
}
