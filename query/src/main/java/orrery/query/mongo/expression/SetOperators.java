package orrery.query.mongo.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import orrery.document.Value;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoOrder;

/** Arrays as sets: the order and the number of equal elements do not count. */
final class SetOperators {
    private SetOperators() {}

    static void addTo(Map<String, ExpressionReader.Operator> table) {
        table.put("$setUnion", SetOperators::union);
        table.put("$setIntersection", SetOperators::intersection);
        table.put("$setDifference", SetOperators::difference);
        table.put("$setEquals", SetOperators::equality);
        table.put("$setIsSubset", SetOperators::subset);
        table.put(
                "$anyElementTrue",
                Operands.ofAny(
                        "$anyElementTrue",
                        value ->
                                Value.of(
                                        truths("$anyElementTrue", 17041, value).stream()
                                                .anyMatch(Expression::isTrue))));
        table.put(
                "$allElementsTrue",
                Operands.ofAny(
                        "$allElementsTrue",
                        value ->
                                Value.of(
                                        truths("$allElementsTrue", 17040, value).stream()
                                                .allMatch(Expression::isTrue))));
    }

    private static List<Value> truths(String name, int code, Value value) {
        if (value instanceof Value.Array(List<Value> elements)) {
            return elements;
        }
        throw MongoCode.failure(
                code, name + "'s argument must be an array, but is " + TypeNames.of(value));
    }

    private static List<Value> elements(String name, int code, Value value) {
        if (value instanceof Value.Array(List<Value> elements)) {
            return elements;
        }
        throw MongoCode.failure(
                code,
                "All operands of %s must be arrays. One argument is of type: %s"
                        .formatted(name, TypeNames.of(value)));
    }

    private static Set<Value> set(List<Value> elements, MongoOrder order) {
        Set<Value> set = new TreeSet<>(order);
        set.addAll(elements);
        return set;
    }

    private static Expression union(Value operand, ExpressionReader reader) {
        List<Expression> operands = Operands.list(operand, reader);
        MongoOrder order = reader.context().order();
        return variables -> {
            Set<Value> all = new TreeSet<>(order);
            for (Value each : Operands.evaluated(operands, variables)) {
                if (Operands.isNullish(each)) {
                    return Value.Null.NULL;
                }
                all.addAll(elements("$setUnion", 17043, each));
            }
            return new Value.Array(List.copyOf(all));
        };
    }

    private static Expression intersection(Value operand, ExpressionReader reader) {
        List<Expression> operands = Operands.list(operand, reader);
        MongoOrder order = reader.context().order();
        return variables -> {
            List<Set<Value>> sets = new ArrayList<>();
            for (Value each : Operands.evaluated(operands, variables)) {
                if (Operands.isNullish(each)) {
                    return Value.Null.NULL;
                }
                sets.add(set(elements("$setIntersection", 17047, each), order));
            }
            if (sets.isEmpty()) {
                return new Value.Array(List.of());
            }
            Set<Value> shared = sets.getFirst();
            sets.forEach(other -> shared.removeIf(each -> !other.contains(each)));
            return new Value.Array(List.copyOf(shared));
        };
    }

    private static Expression difference(Value operand, ExpressionReader reader) {
        List<Expression> both = Operands.exactly("$setDifference", 2, operand, reader);
        MongoOrder order = reader.context().order();
        return variables -> {
            Value left = both.getFirst().evaluate(variables);
            Value right = both.getLast().evaluate(variables);
            if (Operands.isNullish(left) || Operands.isNullish(right)) {
                return Value.Null.NULL;
            }
            List<Value> from = operand("first", 17048, left);
            Set<Value> seen = set(operand("second", 17049, right), order);
            return new Value.Array(from.stream().filter(seen::add).toList());
        };
    }

    private static List<Value> operand(String which, int code, Value value) {
        if (value instanceof Value.Array(List<Value> elements)) {
            return elements;
        }
        throw MongoCode.failure(
                code,
                "both operands of $setDifference must be arrays. %s argument is of type: %s"
                        .formatted(
                                which.equals("first") ? "First" : "Second", TypeNames.of(value)));
    }

    private static Expression equality(Value operand, ExpressionReader reader) {
        List<Expression> operands = Operands.list(operand, reader);
        if (operands.size() < 2) {
            throw MongoCode.failure(
                    17045, "$setEquals needs at least two arguments had: " + operands.size());
        }
        MongoOrder order = reader.context().order();
        return variables -> {
            List<List<Value>> arrays = new ArrayList<>();
            for (Value each : Operands.evaluated(operands, variables)) {
                arrays.add(elements("$setEquals", 17044, each));
            }
            Set<Value> first = set(arrays.getFirst(), order);
            return Value.of(
                    arrays.stream()
                            .map(each -> set(each, order))
                            .allMatch(
                                    each ->
                                            each.size() == first.size()
                                                    && first.containsAll(each)));
        };
    }

    private static Expression subset(Value operand, ExpressionReader reader) {
        List<Expression> both = Operands.exactly("$setIsSubset", 2, operand, reader);
        MongoOrder order = reader.context().order();
        return variables -> {
            List<Value> part = elements("$setIsSubset", 17046, both.getFirst().evaluate(variables));
            List<Value> whole = elements("$setIsSubset", 17042, both.getLast().evaluate(variables));
            return Value.of(set(whole, order).containsAll(part));
        };
    }
}
