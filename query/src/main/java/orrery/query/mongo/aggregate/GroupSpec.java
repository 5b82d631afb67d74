package orrery.query.mongo.aggregate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import orrery.document.Value;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.expression.Expression;
import orrery.query.mongo.expression.ExpressionContext;

/**
 * What {@code $group} says: an expression whose value is the id of a document's group, and the
 * fields of a group.
 */
record GroupSpec(Expression id, List<Field> fields, ExpressionContext context) {
    private static final String ID = "_id";

    /** A field that gathers something. */
    record Field(String name, Accumulator.Maker maker) {}

    GroupSpec {
        fields = List.copyOf(fields);
    }

    static GroupSpec of(Value operand, ExpressionContext context) {
        if (!(operand instanceof Value.Obj(Map<String, Value> parts))) {
            throw MongoCode.failure(15947, "a group's fields must be specified in an object");
        }
        Value id = parts.get(ID);
        if (id == null) {
            throw MongoCode.failure(15955, "a group specification must include an _id");
        }
        return new GroupSpec(Expression.compile(id, context), fields(parts, context), context);
    }

    /** Reads fields with their accumulators; {@code _id} is none. */
    static List<Field> fields(Map<String, Value> parts, ExpressionContext context) {
        List<Field> fields = new ArrayList<>();
        parts.forEach(
                (name, value) -> {
                    if (!name.equals(ID)) {
                        fields.add(field(name, value, context));
                    }
                });
        return fields;
    }

    private static Field field(String name, Value value, ExpressionContext context) {
        if (!(value instanceof Value.Obj(Map<String, Value> accumulator))
                || accumulator.keySet().stream().noneMatch(key -> key.startsWith("$"))) {
            throw MongoCode.failure(
                    40234, "The field '" + name + "' must be an accumulator object");
        }
        if (name.startsWith("$")) {
            throw MongoCode.failure(
                    40236, "The field name '" + name + "' cannot be an operator name");
        }
        if (name.contains(".")) {
            throw MongoCode.failure(40235, "The field name '" + name + "' cannot contain '.'");
        }
        if (accumulator.size() != 1) {
            throw MongoCode.failure(40238, "The field '" + name + "' must specify one accumulator");
        }
        Map.Entry<String, Value> only = accumulator.entrySet().iterator().next();
        return new Field(name, Accumulators.read(only.getKey(), only.getValue(), context));
    }
}
