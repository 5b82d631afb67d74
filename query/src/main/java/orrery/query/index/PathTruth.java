package orrery.query.index;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;
import orrery.document.BsonValue;
import orrery.document.IndexValue;
import orrery.document.Value;
import orrery.document.ValueTag;
import orrery.query.syntax.BuiltIn;
import orrery.query.syntax.Scalar;
import orrery.query.syntax.Scalar.InfixOperator;

/**
 * Finds the values of one path for which a filter over that path is true: comparisons become
 * ranges, logic becomes set algebra, type checks become whole types. What is not understood holds
 * everything.
 */
final class PathTruth {
    private final Scalar path;
    private final Constants constants;

    PathTruth(Scalar path, Constants constants) {
        this.path = path;
        this.constants = constants;
    }

    Truth of(Scalar filter) {
        Optional<Value> constant = constants.find(filter);
        if (constant.isPresent()) {
            return switch (constant.get()) {
                case Value.Bool(boolean value) -> value ? Truth.ALWAYS : Truth.NEVER;
                default -> Truth.UNDEFINED;
            };
        }
        if (filter.equals(path)) {
            return new Truth(
                    ValueRanges.types(ValueTag.TRUE, ValueTag.TRUE),
                    ValueRanges.types(ValueTag.FALSE, ValueTag.FALSE),
                    true);
        }
        return switch (filter) {
            case Scalar.And(List<Scalar> operands) -> joined(operands, Truth::and);
            case Scalar.Or(List<Scalar> operands) -> joined(operands, Truth::or);
            case Scalar.Prefix(Scalar.PrefixOperator operator, Scalar operand)
                    when operator == Scalar.PrefixOperator.NOT ->
                    of(operand).negated();
            case Scalar.Infix(InfixOperator operator, Scalar left, Scalar right) ->
                    infix(operator, left, right);
            case Scalar.Between(Scalar value, Scalar low, Scalar high) when value.equals(path) ->
                    infix(InfixOperator.GREATER_OR_EQUAL, value, low)
                            .and(infix(InfixOperator.LESS_OR_EQUAL, value, high));
            case Scalar.In(Scalar value, List<Scalar> candidates) when value.equals(path) ->
                    in(candidates);
            case Scalar.Like(Scalar value, Scalar pattern, Optional<Character> escape)
                    when value.equals(path) ->
                    constants.find(pattern).orElse(Value.Null.NULL)
                                    instanceof Value.Text(String text)
                            ? like(text, escape)
                            : Truth.UNKNOWN;
            case Scalar.Call(BuiltIn function, List<Scalar> arguments)
                    when !arguments.isEmpty() && arguments.getFirst().equals(path) ->
                    call(function, arguments);
            case Scalar.Call(BuiltIn function, List<Scalar> arguments)
                    when function == BuiltIn.ARRAY_CONTAINS
                            && arguments.size() == 2
                            && arguments.get(1).equals(path) ->
                    constants.find(arguments.getFirst()).orElse(Value.Null.NULL)
                                    instanceof Value.Array(List<Value> elements)
                            ? anyOf(elements)
                            : Truth.UNKNOWN;
            default -> Truth.UNKNOWN;
        };
    }

    /**
     * Halves are joined before they meet, as in a merge sort: one operand after the other, each
     * would walk over all ranges of those before it.
     */
    private Truth joined(List<Scalar> operands, BinaryOperator<Truth> operator) {
        if (operands.size() == 1) {
            return of(operands.getFirst());
        }
        int half = operands.size() / 2;
        return operator.apply(
                joined(operands.subList(0, half), operator),
                joined(operands.subList(half, operands.size()), operator));
    }

    private Truth infix(InfixOperator operator, Scalar left, Scalar right) {
        if (left.equals(path)) {
            return constants
                    .find(right)
                    .map(value -> compare(operator, value))
                    .orElse(Truth.UNKNOWN);
        }
        if (right.equals(path)) {
            return constants
                    .find(left)
                    .map(value -> compare(mirrored(operator), value))
                    .orElse(Truth.UNKNOWN);
        }
        // IS_DEFINED(c.x) = false
        if (operator == InfixOperator.EQUAL) {
            if (constants.find(right).orElse(Value.Null.NULL)
                    instanceof Value.Bool(boolean wanted)) {
                return isTruth(left) ? (wanted ? of(left) : of(left).negated()) : Truth.UNKNOWN;
            }
            if (constants.find(left).orElse(Value.Null.NULL)
                    instanceof Value.Bool(boolean wanted)) {
                return isTruth(right) ? (wanted ? of(right) : of(right).negated()) : Truth.UNKNOWN;
            }
        }
        return Truth.UNKNOWN;
    }

    /** Returns true if an expression is nothing but true, false or undefined. */
    private static boolean isTruth(Scalar scalar) {
        return switch (scalar) {
            case Scalar.And _, Scalar.Or _, Scalar.Between _, Scalar.In _, Scalar.Like _ -> true;
            case Scalar.Prefix(Scalar.PrefixOperator operator, _) ->
                    operator == Scalar.PrefixOperator.NOT;
            case Scalar.Call(BuiltIn function, _) ->
                    function.group() == BuiltIn.Group.TYPE
                            || function == BuiltIn.STARTSWITH
                            || function == BuiltIn.STRINGEQUALS;
            default -> false;
        };
    }

    private static InfixOperator mirrored(InfixOperator operator) {
        return switch (operator) {
            case LESS -> InfixOperator.GREATER;
            case GREATER -> InfixOperator.LESS;
            case LESS_OR_EQUAL -> InfixOperator.GREATER_OR_EQUAL;
            case GREATER_OR_EQUAL -> InfixOperator.LESS_OR_EQUAL;
            default -> operator;
        };
    }

    private Truth compare(InfixOperator operator, Value value) {
        if (!value.isDefined()) {
            return Truth.UNDEFINED;
        }
        if (value instanceof Value.Real(double number) && Double.isNaN(number)) {
            return Truth.UNKNOWN;
        }
        return switch (operator) {
            case EQUAL -> equal(value);
            case NOT_EQUAL -> equal(value).negated();
            case LESS -> below(value, false);
            case LESS_OR_EQUAL -> below(value, true);
            case GREATER -> below(value, true).negated();
            case GREATER_OR_EQUAL -> below(value, false).negated();
            default -> Truth.UNKNOWN;
        };
    }

    private Truth equal(Value value) {
        ValueRanges point = ValueRanges.point(value, constants.rules());
        return hasOwnEncoding(value)
                ? new Truth(point, ValueRanges.DEFINED.minus(point), true)
                : new Truth(point, ValueRanges.DEFINED, false);
    }

    /** Returns true if no other value is encoded the same way. */
    private boolean hasOwnEncoding(Value value) {
        return switch (value) {
            case Value.Array _, Value.Obj _, BsonValue _ -> false;
            case Value.Text _ -> !IndexValue.isCut(IndexValue.encode(value, constants.rules()));
            case Value.Undefined _, Value.Null _, Value.Bool _, Value.Int _, Value.Real _ -> true;
        };
    }

    /** Only values of one primitive type have an order between them. */
    private Truth below(Value value, boolean isInclusive) {
        ValueRanges type =
                switch (value) {
                    case Value.Null _ -> ValueRanges.types(ValueTag.NULL, ValueTag.NULL);
                    case Value.Bool _ -> ValueRanges.BOOLEANS;
                    case Value.Int _, Value.Real _ -> ValueRanges.NUMBERS;
                    case Value.Text _ -> ValueRanges.TEXTS;
                    case Value.Undefined _, Value.Array _, Value.Obj _, BsonValue _ ->
                            ValueRanges.NONE;
                };
        if (type.isEmpty()) {
            return Truth.UNDEFINED;
        }
        ValueRange bounds = type.ranges().getFirst();
        var encoded = IndexValue.encode(value, constants.rules());
        var behind = ValueRanges.after(encoded);
        if (!hasOwnEncoding(value)) {
            // Strings that are cut to the same bytes may lie on either side.
            return new Truth(
                    ValueRanges.between(bounds.from(), behind),
                    ValueRanges.between(encoded, bounds.to()),
                    false);
        }
        var cut = isInclusive ? behind : encoded;
        return new Truth(
                ValueRanges.between(bounds.from(), cut),
                ValueRanges.between(cut, bounds.to()),
                true);
    }

    private Truth in(List<Scalar> candidates) {
        List<Value> values = new ArrayList<>();
        for (Scalar candidate : candidates) {
            Optional<Value> value = constants.find(candidate);
            if (value.isEmpty()) {
                return Truth.UNKNOWN;
            }
            values.add(value.get());
        }
        return anyOf(values);
    }

    private Truth anyOf(List<Value> values) {
        boolean isExact = true;
        List<ValueRanges> points = new ArrayList<>();
        for (Value value : values) {
            if (value instanceof Value.Real(double number) && Double.isNaN(number)) {
                return Truth.UNKNOWN;
            }
            if (value.isDefined()) {
                points.add(ValueRanges.point(value, constants.rules()));
                isExact = isExact && hasOwnEncoding(value);
            }
        }
        ValueRanges any = ValueRanges.union(points);
        return new Truth(
                any, isExact ? ValueRanges.DEFINED.minus(any) : ValueRanges.DEFINED, isExact);
    }

    private Truth like(String pattern, Optional<Character> escape) {
        StringBuilder prefix = new StringBuilder();
        int at = 0;
        while (at < pattern.length()) {
            char c = pattern.charAt(at++);
            if (escape.isPresent() && c == escape.get() && at < pattern.length()) {
                prefix.append(pattern.charAt(at++));
            } else if (c == '%' || c == '_' || c == '[') {
                break;
            } else {
                prefix.append(c);
            }
        }
        return new Truth(
                ValueRanges.prefix(prefix.toString(), constants.rules()), ValueRanges.TEXTS, false);
    }

    private Truth call(BuiltIn function, List<Scalar> arguments) {
        return switch (function) {
            case IS_DEFINED -> isOf(ValueRanges.DEFINED, true);
            case IS_NULL -> isOf(ValueRanges.types(ValueTag.NULL, ValueTag.NULL), true);
            case IS_BOOL -> isOf(ValueRanges.BOOLEANS, true);
            // Whatever is stored is finite.
            case IS_NUMBER, IS_FINITE_NUMBER -> isOf(ValueRanges.NUMBERS, true);
            case IS_STRING -> isOf(ValueRanges.TEXTS, true);
            case IS_ARRAY -> isOf(ValueRanges.types(ValueTag.ARRAY, ValueTag.ARRAY), true);
            case IS_OBJECT -> isOf(ValueRanges.types(ValueTag.OBJECT, ValueTag.OBJECT), true);
            case IS_PRIMITIVE -> isOf(ValueRanges.types(ValueTag.NULL, ValueTag.STRING), true);
            case IS_INTEGER -> isOf(ValueRanges.NUMBERS, false);
            case IS_DATETIME -> isOf(ValueRanges.TEXTS, false);
            case STARTSWITH, STRINGEQUALS -> beginning(function, arguments);
            case CONTAINS,
                    ENDSWITH,
                    CONTAINS_ALL_CS,
                    CONTAINS_ALL_CI,
                    CONTAINS_ANY_CS,
                    CONTAINS_ANY_CI,
                    REGEXMATCH ->
                    new Truth(ValueRanges.TEXTS, ValueRanges.TEXTS, false);
            default -> Truth.UNKNOWN;
        };
    }

    private static Truth isOf(ValueRanges type, boolean isExact) {
        return new Truth(type, isExact ? ValueRanges.ALL.minus(type) : ValueRanges.ALL, isExact);
    }

    /** A flag that is not false means any case, and then the beginning says nothing. */
    private Truth beginning(BuiltIn function, List<Scalar> arguments) {
        boolean isExactCase =
                arguments.size() == 2
                        || constants
                                .find(arguments.get(2))
                                .filter(Value.of(false)::equals)
                                .isPresent();
        if (isExactCase
                && constants.find(arguments.get(1)).orElse(Value.Null.NULL)
                        instanceof Value.Text(String text)) {
            ValueRanges matching =
                    function == BuiltIn.STARTSWITH
                            ? ValueRanges.prefix(text, constants.rules())
                            : ValueRanges.point(Value.of(text), constants.rules());
            return hasOwnEncoding(Value.of(text))
                    ? new Truth(matching, ValueRanges.TEXTS.minus(matching), true)
                    : new Truth(matching, ValueRanges.TEXTS, false);
        }
        return new Truth(ValueRanges.TEXTS, ValueRanges.TEXTS, false);
    }
}
