package orrery.query.mongo.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import orrery.document.Value;

/**
 * A path into a variable. Behind an array it means the values of all its elements that are objects;
 * numbers name no elements here.
 */
record PathExpression(String variable, List<String> parts) implements Expression {
    PathExpression {
        parts = List.copyOf(parts);
    }

    @Override
    public Value evaluate(Variables variables) {
        return find(variables.get(variable), 0);
    }

    private Value find(Value value, int at) {
        if (at == parts.size()) {
            return value;
        }
        return switch (value) {
            case Value.Obj(Map<String, Value> fields) ->
                    find(fields.getOrDefault(parts.get(at), Value.Undefined.UNDEFINED), at + 1);
            case Value.Array(List<Value> elements) -> {
                List<Value> found = new ArrayList<>();
                for (Value element : elements) {
                    if (element instanceof Value.Obj) {
                        Value inner = find(element, at);
                        if (inner.isDefined()) {
                            found.add(inner);
                        }
                    }
                }
                yield new Value.Array(found);
            }
            default -> Value.Undefined.UNDEFINED;
        };
    }
}
