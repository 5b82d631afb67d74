package orrery.query.mongo.aggregate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import orrery.document.Value;
import orrery.query.mongo.BsonType;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.expression.Expression;
import orrery.query.mongo.expression.ExpressionContext;
import orrery.query.mongo.expression.ExpressionReader;
import orrery.query.mongo.expression.ValueText;

/** Writes {@code $bucket} as the group that it is. */
final class Buckets {
    private static final Map<String, Value> COUNT =
            Map.of("count", new Value.Obj(Map.of("$sum", Value.of(1))));

    private Buckets() {}

    /** Returns the operand of {@code $group}; what comes of it is sorted by {@code _id}. */
    static Value.Obj group(Value operand, ExpressionContext context) {
        if (!(operand instanceof Value.Obj(Map<String, Value> parts))) {
            throw MongoCode.failure(
                    40201,
                    "Argument to $bucket stage must be an object, but found type: "
                            + BsonType.of(operand).alias()
                            + ".");
        }
        for (String name : parts.keySet()) {
            if (!List.of("groupBy", "boundaries", "default", "output").contains(name)) {
                throw MongoCode.failure(40197, "Unrecognized option to $bucket: " + name + ".");
            }
        }
        Value by = parts.get("groupBy");
        if (by != null && !isExpression(by)) {
            throw MongoCode.failure(
                    40202,
                    "The $bucket 'groupBy' field must be defined as a $-prefixed path or an"
                            + " expression, but found: "
                            + ValueText.of(by)
                            + ".");
        }
        if (by == null || !parts.containsKey("boundaries")) {
            throw MongoCode.failure(
                    40198, "$bucket requires 'groupBy' and 'boundaries' to be specified.");
        }
        List<Value> boundaries = boundaries(parts.get("boundaries"), context);
        Map<String, Value> choice = new LinkedHashMap<>();
        choice.put("branches", new Value.Array(branches(by, boundaries)));
        Value other = parts.get("default");
        if (other != null) {
            choice.put("default", literal(other(other, boundaries, context)));
        }
        Map<String, Value> group = new LinkedHashMap<>();
        group.put("_id", new Value.Obj(Map.of("$switch", new Value.Obj(choice))));
        group.putAll(output("$bucket", 40196, parts));
        return new Value.Obj(group);
    }

    static Map<String, Value> output(String stage, int notObject, Map<String, Value> parts) {
        return switch (parts.get("output")) {
            case null -> COUNT;
            case Value.Obj(Map<String, Value> fields) -> fields;
            case Value other ->
                    throw MongoCode.failure(
                            notObject,
                            "The %s 'output' field must be an object, but found type: %s."
                                    .formatted(stage, BsonType.of(other).alias()));
        };
    }

    /** Returns true for a path, and for an object that is an expression. */
    static boolean isExpression(Value value) {
        return ExpressionReader.isOperator(value)
                || (value instanceof Value.Text(String text) && text.startsWith("$"));
    }

    private static Value literal(Value value) {
        return new Value.Obj(Map.of("$literal", value));
    }

    private static Value operator(String name, Value left, Value right) {
        return new Value.Obj(Map.of(name, new Value.Array(List.of(left, right))));
    }

    private static List<Value> branches(Value by, List<Value> boundaries) {
        List<Value> branches = new ArrayList<>();
        for (int i = 0; i + 1 < boundaries.size(); i++) {
            Map<String, Value> branch = new LinkedHashMap<>();
            branch.put(
                    "case",
                    operator(
                            "$and",
                            operator("$gte", by, literal(boundaries.get(i))),
                            operator("$lt", by, literal(boundaries.get(i + 1)))));
            branch.put("then", literal(boundaries.get(i)));
            branches.add(new Value.Obj(branch));
        }
        return branches;
    }

    private static Value constant(Value value, ExpressionContext context) {
        return Expression.compile(value, context)
                .evaluate(context.variables(new Value.Obj(Map.of())));
    }

    private static boolean isConstant(Value value) {
        return !isExpression(value)
                || ((value instanceof Value.Obj(Map<String, Value> fields))
                        && fields.containsKey("$literal"));
    }

    private static List<Value> boundaries(Value given, ExpressionContext context) {
        if (!(given instanceof Value.Array(List<Value> elements))) {
            throw MongoCode.failure(
                    40200,
                    "The $bucket 'boundaries' field must be an array, but found type: "
                            + BsonType.of(given).alias()
                            + ".");
        }
        List<Value> boundaries = new ArrayList<>();
        for (Value element : elements) {
            if (!isConstant(element)) {
                throw MongoCode.failure(
                        40191,
                        "The $bucket 'boundaries' field must be an array of constant values, but"
                                + " found value: "
                                + ValueText.of(element)
                                + ".");
            }
            boundaries.add(constant(element, context));
        }
        if (boundaries.size() < 2) {
            throw MongoCode.failure(
                    40192,
                    "The $bucket 'boundaries' field must have at least 2 values, but found "
                            + boundaries.size()
                            + " value(s).");
        }
        for (int i = 1; i < boundaries.size(); i++) {
            requireOrder(boundaries.get(i - 1), boundaries.get(i), i, context.order());
        }
        return boundaries;
    }

    private static void requireOrder(Value lower, Value upper, int at, MongoOrder order) {
        if (MongoOrder.typePlace(lower) != MongoOrder.typePlace(upper)) {
            throw MongoCode.failure(
                    40193,
                    "All values in the the 'boundaries' option to $bucket must have the same type."
                            + " Found conflicting types %s and %s."
                                    .formatted(
                                            BsonType.of(lower).alias(),
                                            BsonType.of(upper).alias()));
        }
        if (order.compare(lower, upper) >= 0) {
            throw MongoCode.failure(
                    40194,
                    "The 'boundaries' option to $bucket must be sorted, but elements %d and %d are"
                                    .formatted(at - 1, at)
                            + " not in ascending order (%s is not less than %s)."
                                    .formatted(ValueText.of(lower), ValueText.of(upper)));
        }
    }

    private static Value other(Value given, List<Value> boundaries, ExpressionContext context) {
        if (!isConstant(given)) {
            throw MongoCode.failure(
                    40195,
                    "The $bucket 'default' field must be a constant value, but found: "
                            + ValueText.of(given)
                            + ".");
        }
        Value other = constant(given, context);
        if (context.order().compare(other, boundaries.getFirst()) >= 0
                && context.order().compare(other, boundaries.getLast()) < 0) {
            throw MongoCode.failure(
                    40199,
                    "The $bucket 'default' field must be less than the lowest boundary or greater"
                            + " than or equal to the highest boundary.");
        }
        return other;
    }
}
