package orrery.query.mongo.match;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.query.mongo.BsonType;
import orrery.query.mongo.FieldPath;
import orrery.query.mongo.MongoNumbers;
import orrery.query.mongo.MongoOrder;
import orrery.query.regex.RegexPattern;

/** A test of one value at a path; undefined stands for an absent one. */
public sealed interface ValueTest {
    boolean passes(Value value, Scope scope);

    /** Returns true if each element of an array at the end of a path is tested beside the array. */
    default boolean isOfElements() {
        return true;
    }

    /** Relations between values of comparable types. */
    enum Relation {
        EQ,
        LT,
        LTE,
        GT,
        GTE;

        boolean holds(int order) {
            return switch (this) {
                case EQ -> order == 0;
                case LT -> order < 0;
                case LTE -> order <= 0;
                case GT -> order > 0;
                case GTE -> order >= 0;
            };
        }
    }

    /**
     * @param operand not undefined
     */
    record Compare(Relation relation, Value operand) implements ValueTest {
        @Override
        public boolean passes(Value value, Scope scope) {
            // Since release 8.0 what is undefined is not null; what is missing still is.
            if (value instanceof Value.Undefined && operand instanceof Value.Null) {
                return relation.holds(0);
            }
            if (MongoOrder.typePlace(value) != MongoOrder.typePlace(operand)) {
                return switch (relation) {
                    case EQ -> false;
                    case LT, LTE -> operand instanceof BsonValue.MaxKey;
                    case GT, GTE -> operand instanceof BsonValue.MinKey;
                };
            }
            if (MongoOrder.isNaN(value) != MongoOrder.isNaN(operand)) {
                return false;
            }
            return relation.holds(scope.order().compare(value, operand));
        }
    }

    /**
     * @param values in order, each once
     */
    record In(List<Value> values, List<Regex> patterns) implements ValueTest {
        public In {
            values = List.copyOf(values);
            patterns = List.copyOf(patterns);
        }

        @Override
        public boolean passes(Value value, Scope scope) {
            return holds(value.isDefined() ? value : Value.Null.NULL, scope)
                    || patterns.stream().anyMatch(pattern -> pattern.passes(value, scope));
        }

        private boolean holds(Value value, Scope scope) {
            int low = 0;
            int high = values.size() - 1;
            while (low <= high) {
                int middle = (low + high) >>> 1;
                int order = scope.order().compare(values.get(middle), value);
                if (order == 0) {
                    return true;
                }
                if (order < 0) {
                    low = middle + 1;
                } else {
                    high = middle - 1;
                }
            }
            return false;
        }
    }

    /**
     * @param literal which equals a stored regular expression
     */
    record Regex(BsonValue.Regex literal, RegexPattern pattern) implements ValueTest {
        @Override
        public boolean passes(Value value, Scope scope) {
            return switch (value) {
                case Value.Text(String text) -> isFound(text, scope);
                case BsonValue.Symbol(String name) -> isFound(name, scope);
                case BsonValue.Regex other -> other.equals(literal);
                default -> false;
            };
        }

        private boolean isFound(String text, Scope scope) {
            return pattern.finder(text, scope.effort()::add).next().getAsBoolean();
        }
    }

    /** Passes whatever is there. */
    record Exists() implements ValueTest {
        @Override
        public boolean passes(Value value, Scope scope) {
            return value.isDefined();
        }
    }

    record Types(Set<BsonType> types) implements ValueTest {
        public Types {
            types = Set.copyOf(types);
        }

        @Override
        public boolean passes(Value value, Scope scope) {
            return value.isDefined() && types.contains(BsonType.of(value));
        }
    }

    record Mod(long divisor, long remainder) implements ValueTest {
        @Override
        public boolean passes(Value value, Scope scope) {
            return MongoOrder.isNumber(value)
                    && MongoNumbers.truncated(value).stream()
                            .anyMatch(number -> number % divisor == remainder);
        }
    }

    /** The tests of single bits. */
    enum BitRule {
        ALL_SET,
        ANY_SET,
        ALL_CLEAR,
        ANY_CLEAR
    }

    /**
     * @param positions of bits; beyond the last one of a number lies its sign
     */
    record Bits(BitRule rule, List<Integer> positions) implements ValueTest {
        public Bits {
            positions = List.copyOf(positions);
        }

        @Override
        public boolean passes(Value value, Scope scope) {
            return switch (value) {
                case BsonValue.Binary binary -> passes(at -> bit(binary, at));
                default ->
                        MongoOrder.isNumber(value)
                                && MongoNumbers.whole(value).stream()
                                        .anyMatch(
                                                number ->
                                                        passes(
                                                                at ->
                                                                        (number >> Math.min(at, 63)
                                                                                        & 1)
                                                                                != 0));
            };
        }

        private static boolean bit(BsonValue.Binary binary, int at) {
            return at / 8 < binary.data().length()
                    && (binary.data().at(at / 8) >> (at % 8) & 1) != 0;
        }

        private boolean passes(IntPredicate isSet) {
            return switch (rule) {
                case ALL_SET -> positions.stream().allMatch(isSet::test);
                case ANY_SET -> positions.stream().anyMatch(isSet::test);
                case ALL_CLEAR -> positions.stream().noneMatch(isSet::test);
                case ANY_CLEAR -> !positions.stream().allMatch(isSet::test);
            };
        }
    }

    /** Passes arrays of this length. */
    record Size(long length) implements ValueTest {
        @Override
        public boolean isOfElements() {
            return false;
        }

        @Override
        public boolean passes(Value value, Scope scope) {
            return value instanceof Value.Array(List<Value> elements) && elements.size() == length;
        }
    }

    /** Passes arrays of which one element, a document or an array, meets the condition. */
    record AnyDocument(Condition condition) implements ValueTest {
        @Override
        public boolean isOfElements() {
            return false;
        }

        @Override
        public boolean passes(Value value, Scope scope) {
            return value instanceof Value.Array(List<Value> elements)
                    && firstMatch(elements, scope) != FieldPath.NO_INDEX;
        }

        private int firstMatch(List<Value> elements, Scope scope) {
            for (int i = 0; i < elements.size(); i++) {
                scope.effort().add(1);
                if (matches(elements.get(i), scope)) {
                    scope.matchedAt(i);
                    return i;
                }
            }
            return FieldPath.NO_INDEX;
        }

        private boolean matches(Value element, Scope scope) {
            return switch (element) {
                case Value.Obj _ -> condition.matches(element, scope);
                case Value.Array(List<Value> inner) -> condition.matches(asDocument(inner), scope);
                default -> false;
            };
        }

        private static Value.Obj asDocument(List<Value> elements) {
            Map<String, Value> properties = new LinkedHashMap<>();
            for (int i = 0; i < elements.size(); i++) {
                properties.put(Integer.toString(i), elements.get(i));
            }
            return new Value.Obj(properties);
        }
    }

    /** Passes arrays of which one element passes the test. */
    record AnyElement(ValueTest test) implements ValueTest {
        @Override
        public boolean isOfElements() {
            return false;
        }

        @Override
        public boolean passes(Value value, Scope scope) {
            if (!(value instanceof Value.Array(List<Value> elements))) {
                return false;
            }
            for (int i = 0; i < elements.size(); i++) {
                scope.effort().add(1);
                if (test.passes(elements.get(i), scope)) {
                    scope.matchedAt(i);
                    return true;
                }
            }
            return false;
        }
    }

    /** Passes what passes all; only where no path is walked, as inside of {@code $elemMatch}. */
    record All(List<ValueTest> tests) implements ValueTest {
        public All {
            tests = List.copyOf(tests);
        }

        @Override
        public boolean passes(Value value, Scope scope) {
            return tests.stream().allMatch(test -> test.passes(value, scope));
        }
    }

    /** Passes what the other does not; only where no path is walked. */
    record Except(ValueTest test) implements ValueTest {
        @Override
        public boolean passes(Value value, Scope scope) {
            return !test.passes(value, scope);
        }
    }

    /** Sorts the values of a list and drops those that are there twice. */
    static In in(List<Value> values, List<Regex> patterns, MongoOrder order) {
        List<Value> sorted = new ArrayList<>();
        values.stream()
                .map(value -> MongoOrder.isNullish(value) ? Value.Null.NULL : value)
                .sorted(order)
                .forEach(
                        value -> {
                            if (sorted.isEmpty() || !order.equal(sorted.getLast(), value)) {
                                sorted.add(value);
                            }
                        });
        return new In(sorted, patterns);
    }
}
