package orrery.query.mongo.match;

import static orrery.query.mongo.match.FilterParser.invalid;
import static orrery.query.mongo.match.FilterParser.shown;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import orrery.document.BsonValue;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.query.mongo.BsonType;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoNumbers;
import orrery.query.mongo.MongoOrder;
import orrery.query.regex.RegexOwner;
import orrery.query.regex.RegexPattern;

/** Reads the operands of operators that test one value. */
final class OperandParser {
    private static final int INVALID_REGEX = 51091;
    private static final int OPTIONS_TWICE = 51074;
    private static final int INVALID_FLAG = 51108;

    private static final RegexOwner REGEX =
            new RegexOwner(
                    "$regex",
                    message ->
                            MongoCode.failure(
                                    INVALID_REGEX, "Regular expression is invalid: " + message));

    private final MongoOrder order;

    OperandParser(MongoOrder order) {
        this.order = order;
    }

    /** A value that stands alone is what must be found, but a regular expression is searched. */
    ValueTest equality(Value value) {
        return value instanceof BsonValue.Regex(String pattern, String options)
                ? regex(pattern, options)
                : comparison(ValueTest.Relation.EQ, value);
    }

    ValueTest comparison(ValueTest.Relation relation, Value operand) {
        if (operand instanceof BsonValue.Undef || operand instanceof Value.Undefined) {
            throw invalid("cannot compare to undefined");
        }
        if (operand instanceof BsonValue.Regex && relation != ValueTest.Relation.EQ) {
            throw invalid("Can't have RegEx as arg to predicate over field ''.");
        }
        return new ValueTest.Compare(relation, operand);
    }

    ValueTest test(String name, Value operand, Value.Obj operators) {
        return switch (name) {
            case "$eq" -> comparison(ValueTest.Relation.EQ, operand);
            case "$lt" -> comparison(ValueTest.Relation.LT, operand);
            case "$lte" -> comparison(ValueTest.Relation.LTE, operand);
            case "$gt" -> comparison(ValueTest.Relation.GT, operand);
            case "$gte" -> comparison(ValueTest.Relation.GTE, operand);
            case "$in" -> in(name, operand);
            case "$regex" -> regex(operand, operators);
            case "$mod" -> mod(operand);
            case "$type" -> types(operand);
            case "$size" -> size(operand);
            case "$bitsAllSet" -> bits(name, ValueTest.BitRule.ALL_SET, operand);
            case "$bitsAnySet" -> bits(name, ValueTest.BitRule.ANY_SET, operand);
            case "$bitsAllClear" -> bits(name, ValueTest.BitRule.ALL_CLEAR, operand);
            case "$bitsAnyClear" -> bits(name, ValueTest.BitRule.ANY_CLEAR, operand);
            case "$geoWithin",
                    "$within",
                    "$geoIntersects",
                    "$near",
                    "$nearSphere",
                    "$geoNear",
                    "$geometry",
                    "$minDistance",
                    "$maxDistance" ->
                    throw invalid(name + " is not supported");
            default -> throw invalid("unknown operator: " + name);
        };
    }

    ValueTest.In in(String name, Value operand) {
        if (!(operand instanceof Value.Array(List<Value> elements))) {
            throw invalid(name + " needs an array");
        }
        List<Value> values = new ArrayList<>();
        List<ValueTest.Regex> patterns = new ArrayList<>();
        for (Value element : elements) {
            switch (element) {
                case BsonValue.Regex regex -> {
                    patterns.add(regex(regex.pattern(), regex.options()));
                    values.add(regex);
                }
                case BsonValue.Undef _ -> throw invalid("cannot compare to undefined");
                case Value.Obj inner when FilterParser.isOperators(inner) ->
                        throw invalid("cannot nest $ under " + name);
                default -> values.add(element);
            }
        }
        return ValueTest.in(values, patterns, order);
    }

    private ValueTest.Regex regex(Value operand, Value.Obj operators) {
        Value options = operators.properties().getOrDefault("$options", Value.Undefined.UNDEFINED);
        if (options.isDefined() && !(options instanceof Value.Text)) {
            throw invalid("$options has to be a string");
        }
        String flags = options instanceof Value.Text(String text) ? text : "";
        return switch (operand) {
            case Value.Text(String pattern) -> regex(pattern, flags);
            case BsonValue.Regex(String pattern, String own) -> {
                if (!own.isEmpty() && options.isDefined()) {
                    throw MongoCode.failure(
                            OPTIONS_TWICE, "options set in both $regex and $options");
                }
                yield regex(pattern, own.isEmpty() ? flags : own);
            }
            default -> throw invalid("$regex has to be a string");
        };
    }

    static void requireRegex(Value.Obj operators) {
        if (!operators.properties().containsKey("$regex")) {
            throw invalid("$options needs a $regex");
        }
    }

    ValueTest.Regex regex(String pattern, String options) {
        if (pattern.indexOf('\0') >= 0) {
            throw invalid("Regular expression cannot contain an embedded null byte");
        }
        StringBuilder modifiers = new StringBuilder();
        for (int i = 0; i < options.length(); i++) {
            switch (options.charAt(i)) {
                case 'i', 'm', 's', 'x' -> modifiers.append(options.charAt(i));
                case 'u' -> {} // all texts are Unicode
                default ->
                        throw MongoCode.failure(
                                INVALID_FLAG,
                                "invalid flag in regex options: " + options.charAt(i));
            }
        }
        return new ValueTest.Regex(
                new BsonValue.Regex(pattern, options),
                RegexPattern.compile(REGEX, pattern, modifiers.toString()));
    }

    private static ValueTest mod(Value operand) {
        if (!(operand instanceof Value.Array(List<Value> numbers))) {
            throw invalid("malformed mod, needs to be an array");
        }
        if (numbers.size() != 2) {
            throw invalid(
                    numbers.size() < 2
                            ? "malformed mod, not enough elements"
                            : "malformed mod, too many elements");
        }
        long divisor = modPart("divisor", numbers.get(0));
        long remainder = modPart("remainder", numbers.get(1));
        if (divisor == 0) {
            throw invalid("divisor cannot be 0");
        }
        return new ValueTest.Mod(divisor, remainder);
    }

    private static long modPart(String name, Value number) {
        if (!MongoOrder.isNumber(number)) {
            throw invalid("malformed mod, " + name + " not a number");
        }
        return MongoNumbers.truncated(number)
                .orElseThrow(() -> invalid("malformed mod, " + name + " value is invalid"));
    }

    private static ValueTest types(Value operand) {
        Set<BsonType> types = EnumSet.noneOf(BsonType.class);
        if (operand instanceof Value.Array(List<Value> elements)) {
            elements.forEach(element -> addType(element, types));
            if (types.isEmpty()) {
                throw MongoCode.FAILED_TO_PARSE.failure("$type must match at least one type");
            }
        } else {
            addType(operand, types);
        }
        return new ValueTest.Types(types);
    }

    private static void addType(Value name, Set<BsonType> types) {
        switch (name) {
            case Value.Text(String alias) when alias.equals("number") -> {
                types.add(BsonType.DOUBLE);
                types.add(BsonType.INT);
                types.add(BsonType.LONG);
                types.add(BsonType.DECIMAL);
            }
            case Value.Text(String alias) ->
                    types.add(
                            BsonType.ofAlias(alias)
                                    .orElseThrow(
                                            () -> invalid("Unknown type name alias: " + alias)));
            default -> {
                if (!MongoOrder.isNumber(name)) {
                    throw MongoCode.TYPE_MISMATCH.failure(
                            "type must be represented as a number or a string");
                }
                OptionalLong number = MongoNumbers.whole(name);
                types.add(
                        number.stream()
                                .mapToObj(BsonType::ofNumber)
                                .findFirst()
                                .flatMap(found -> found)
                                .orElseThrow(
                                        () ->
                                                invalid(
                                                        "Invalid numerical type code: "
                                                                + text(name))));
            }
        }
    }

    private static String text(Value number) {
        return JsonText.write(number);
    }

    private static ValueTest size(Value operand) {
        if (!MongoOrder.isNumber(operand)) {
            throw invalid(
                    "Failed to parse $size. Expected a number in: " + shown("$size", operand));
        }
        long size =
                MongoNumbers.whole(operand)
                        .orElseThrow(
                                () ->
                                        invalid(
                                                "Failed to parse $size. Expected an integer: "
                                                        + shown("$size", operand)));
        if (size < 0) {
            throw invalid(
                    "Failed to parse $size. Expected a non-negative number in: "
                            + shown("$size", operand));
        }
        return new ValueTest.Size(size);
    }

    private static ValueTest bits(String name, ValueTest.BitRule rule, Value operand) {
        List<Integer> positions = new ArrayList<>();
        switch (operand) {
            case Value.Array(List<Value> elements) -> {
                for (Value element : elements) {
                    OptionalLong position =
                            MongoOrder.isNumber(element)
                                    ? MongoNumbers.whole(element)
                                    : OptionalLong.empty();
                    if (position.isEmpty()
                            || position.getAsLong() < 0
                            || position.getAsLong() > Integer.MAX_VALUE) {
                        throw invalid(
                                "Failed to parse bit position. Expected a non-negative number in: "
                                        + shown(name, operand));
                    }
                    positions.add((int) position.getAsLong());
                }
            }
            case BsonValue.Binary binary -> {
                for (int i = 0; i < 8 * binary.data().length(); i++) {
                    if ((binary.data().at(i / 8) >> (i % 8) & 1) != 0) {
                        positions.add(i);
                    }
                }
            }
            default -> {
                OptionalLong mask =
                        MongoOrder.isNumber(operand)
                                ? MongoNumbers.whole(operand)
                                : OptionalLong.empty();
                if (mask.isEmpty() || mask.getAsLong() < 0) {
                    throw invalid(
                            name
                                    + " takes an Array, a number, or a BinData but received: "
                                    + shown(name, operand));
                }
                for (int i = 0; i < Long.SIZE; i++) {
                    if ((mask.getAsLong() >> i & 1) != 0) {
                        positions.add(i);
                    }
                }
            }
        }
        return new ValueTest.Bits(rule, positions);
    }

    /** Numbers other than zero and all that is neither false nor null counts as true. */
    static boolean isTrue(Value value) {
        return switch (value) {
            case Value.Bool(boolean truth) -> truth;
            case Value.Null _, Value.Undefined _, BsonValue.Undef _ -> false;
            default ->
                    !MongoOrder.isNumber(value)
                            || MongoOrder.compareNumbers(value, Value.of(0)) != 0;
        };
    }
}
