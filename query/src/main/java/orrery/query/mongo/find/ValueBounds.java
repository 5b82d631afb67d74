package orrery.query.mongo.find;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.document.BsonValue;
import orrery.document.IndexValue;
import orrery.document.Value;
import orrery.document.ValueTag;
import orrery.model.Bytes;
import orrery.model.TermRules;
import orrery.query.index.ValueRanges;
import orrery.query.mongo.BsonType;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.match.ValueTest;

/** The entries that values have which pass a test: all of them, and maybe those of others. */
final class ValueBounds {
    private static final ValueRanges NULLS = types(ValueTag.UNDEF, ValueTag.NULL);

    /** All that is there. */
    static final ValueRanges PRESENT =
            ValueRanges.union(
                    List.of(type(ValueTag.MIN_KEY), types(ValueTag.UNDEF, ValueTag.MAX_KEY)));

    private final TermRules rules;
    private final MongoOrder order;

    /**
     * @param order of the values that are compared; the index has that of the bytes of strings
     */
    ValueBounds(TermRules rules, MongoOrder order) {
        this.rules = rules;
        this.order = order;
    }

    static ValueRanges type(int tag) {
        return ValueRanges.types(tag, tag);
    }

    private static ValueRanges types(int first, int last) {
        return ValueRanges.types(first, last);
    }

    /** Returns true if an absent value passes. */
    static boolean passesAbsent(ValueTest test) {
        return switch (test) {
            case ValueTest.Compare(ValueTest.Relation relation, Value operand) ->
                    switch (operand) {
                        case Value.Null _ ->
                                relation != ValueTest.Relation.LT
                                        && relation != ValueTest.Relation.GT;
                        case BsonValue.MinKey _ ->
                                relation == ValueTest.Relation.GT
                                        || relation == ValueTest.Relation.GTE;
                        case BsonValue.MaxKey _ ->
                                relation == ValueTest.Relation.LT
                                        || relation == ValueTest.Relation.LTE;
                        default -> false;
                    };
            case ValueTest.In(List<Value> values, List<ValueTest.Regex> _) ->
                    values.contains(Value.Null.NULL);
            default -> false;
        };
    }

    /** Returns the bounds of a value that is there; empty if they cannot be told. */
    Optional<ValueRanges> ofPresent(ValueTest test) {
        return switch (test) {
            case ValueTest.Compare(ValueTest.Relation relation, Value operand) ->
                    Optional.of(compared(relation, operand));
            case ValueTest.In(List<Value> values, List<ValueTest.Regex> patterns) -> {
                List<ValueRanges> parts = new ArrayList<>();
                values.forEach(value -> parts.add(compared(ValueTest.Relation.EQ, value)));
                patterns.forEach(pattern -> parts.add(matched(pattern)));
                yield Optional.of(ValueRanges.union(parts));
            }
            case ValueTest.Regex regex -> Optional.of(matched(regex));
            case ValueTest.Exists() -> Optional.of(PRESENT);
            case ValueTest.Types types ->
                    Optional.of(
                            ValueRanges.union(
                                    types.types().stream().map(ValueBounds::ofType).toList()));
            case ValueTest.Mod _ -> Optional.of(ValueRanges.NUMBERS);
            case ValueTest.Bits _ ->
                    Optional.of(
                            ValueRanges.union(List.of(ValueRanges.NUMBERS, type(ValueTag.BINARY))));
            case ValueTest.Size _, ValueTest.AnyDocument _, ValueTest.AnyElement _ ->
                    Optional.of(type(ValueTag.ARRAY));
            case ValueTest.All(List<ValueTest> tests) -> {
                ValueRanges ranges = PRESENT;
                for (ValueTest each : tests) {
                    ranges = ranges.intersect(ofPresent(each).orElse(PRESENT));
                }
                yield Optional.of(ranges);
            }
            case ValueTest.Except _ -> Optional.empty();
        };
    }

    private ValueRanges compared(ValueTest.Relation relation, Value operand) {
        if (!order.isByBytes(operand)) {
            return whole(operand);
        }
        return switch (operand) {
            case Value.Null _ -> NULLS;
            case BsonValue.MinKey _, BsonValue.MaxKey _ ->
                    relation == ValueTest.Relation.EQ
                            ? point(operand)
                            : PRESENT; // they compare with all types
            case Value.Text(String text) -> text(relation, text);
            case BsonValue.Symbol(String name) -> text(relation, name);
            case Value.Bool _ -> within(ValueTag.FALSE, ValueTag.TRUE, relation, operand);
            case Value.Array _, Value.Obj _, BsonValue.ScopedCode _, BsonValue.Pointer _ ->
                    relation == ValueTest.Relation.EQ ? point(operand) : whole(operand);
            default -> {
                int tag = IndexValue.encode(operand, rules).at(0);
                yield within(tag, tag, relation, operand);
            }
        };
    }

    private ValueRanges whole(Value operand) {
        return operand instanceof Value.Text || operand instanceof BsonValue.Symbol
                ? ValueRanges.TEXTS
                : type(IndexValue.encode(operand, rules).at(0));
    }

    private ValueRanges point(Value operand) {
        Bytes encoded = IndexValue.encode(operand, rules);
        return ValueRanges.between(encoded, ValueRanges.after(encoded));
    }

    /** The index has the beginning of a long value only, so its own entry belongs to both sides. */
    private ValueRanges within(int first, int last, ValueTest.Relation relation, Value operand) {
        Bytes encoded = IndexValue.encode(operand, rules);
        return switch (relation) {
            case EQ -> point(operand);
            case LT, LTE -> types(first, last).intersect(upTo(ValueRanges.after(encoded)));
            case GT, GTE -> types(first, last).intersect(from(encoded));
        };
    }

    private static ValueRanges upTo(Bytes end) {
        return ValueRanges.between(Bytes.wrap(new byte[] {0}), end);
    }

    private static ValueRanges from(Bytes start) {
        return ValueRanges.between(start, Bytes.wrap(new byte[] {(byte) 0xFF}));
    }

    /**
     * The index sorts strings by units of UTF-16, and MongoDB by code points: they differ from the
     * first surrogate on, or from a character that sorts beside surrogates.
     */
    private ValueRanges text(ValueTest.Relation relation, String text) {
        int alike = 0;
        while (alike < text.length() && text.charAt(alike) < Character.MIN_SURROGATE) {
            alike++;
        }
        if (relation == ValueTest.Relation.EQ || alike == text.length()) {
            return within(ValueTag.STRING, ValueTag.STRING, relation, Value.of(text));
        }
        Bytes prefix = IndexValue.encodePrefix(text.substring(0, alike), rules);
        ValueRanges strings = ValueRanges.TEXTS;
        return relation == ValueTest.Relation.LT || relation == ValueTest.Relation.LTE
                ? strings.intersect(upTo(ValueRanges.after(prefix)))
                : strings.intersect(from(prefix));
    }

    private ValueRanges matched(ValueTest.Regex regex) {
        String prefix = RegexPrefix.of(regex.literal());
        ValueRanges strings = ValueRanges.TEXTS;
        if (!prefix.isEmpty()) {
            Bytes encoded = IndexValue.encodePrefix(prefix, rules);
            strings = ValueRanges.between(encoded, ValueRanges.after(encoded));
        }
        return ValueRanges.union(List.of(strings, point(regex.literal())));
    }

    private static ValueRanges ofType(BsonType type) {
        return switch (type) {
            case DOUBLE, INT, LONG, DECIMAL -> ValueRanges.NUMBERS;
            case STRING, SYMBOL -> ValueRanges.TEXTS;
            case OBJECT -> type(ValueTag.OBJECT);
            case ARRAY -> type(ValueTag.ARRAY);
            case BINARY -> type(ValueTag.BINARY);
            case UNDEFINED -> type(ValueTag.UNDEF);
            case OBJECT_ID -> type(ValueTag.OBJECT_ID);
            case BOOL -> ValueRanges.BOOLEANS;
            case DATE -> type(ValueTag.DATE_TIME);
            case NULL -> type(ValueTag.NULL);
            case REGEX -> type(ValueTag.REGEX);
            case POINTER -> type(ValueTag.POINTER);
            case CODE -> type(ValueTag.CODE);
            case SCOPED_CODE -> type(ValueTag.SCOPED_CODE);
            case TIMESTAMP -> type(ValueTag.TIMESTAMP);
            case MIN_KEY -> type(ValueTag.MIN_KEY);
            case MAX_KEY -> type(ValueTag.MAX_KEY);
        };
    }
}
