package orrery.query.mongo.expression;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import orrery.document.Value;
import orrery.query.mongo.MongoCode;

/** Operators that take objects apart and make them. */
final class ObjectOperators {
    private ObjectOperators() {}

    static void addTo(Map<String, ExpressionReader.Operator> table) {
        table.put("$mergeObjects", Operands.ofMany(ObjectOperators::merge));
        table.put("$objectToArray", Operands.ofOne("$objectToArray", ObjectOperators::toArray));
        table.put("$arrayToObject", Operands.ofOne("$arrayToObject", ObjectOperators::toObject));
        table.put("$getField", ObjectOperators::getField);
        table.put("$setField", (operand, reader) -> setField("$setField", operand, reader));
        table.put("$unsetField", (operand, reader) -> setField("$unsetField", operand, reader));
    }

    private static Value merge(List<Value> operands) {
        List<Value> objects =
                operands.size() == 1
                                && operands.getFirst() instanceof Value.Array(List<Value> elements)
                        ? elements
                        : operands;
        Map<String, Value> merged = new LinkedHashMap<>();
        for (Value each : objects) {
            if (Operands.isNullish(each)) {
                continue;
            }
            if (!(each instanceof Value.Obj(Map<String, Value> fields))) {
                throw MongoCode.failure(
                        40400,
                        "$mergeObjects requires object inputs, but input %s is of type %s"
                                .formatted(ValueText.of(each), TypeNames.of(each)));
            }
            merged.putAll(fields);
        }
        return new Value.Obj(merged);
    }

    private static Value toArray(Value value) {
        if (!(value instanceof Value.Obj(Map<String, Value> fields))) {
            throw MongoCode.failure(
                    40390,
                    "$objectToArray requires a document input, found: " + TypeNames.of(value));
        }
        List<Value> pairs = new ArrayList<>();
        fields.forEach(
                (name, field) -> {
                    Map<String, Value> pair = new LinkedHashMap<>();
                    pair.put("k", Value.of(name));
                    pair.put("v", field);
                    pairs.add(new Value.Obj(pair));
                });
        return new Value.Array(pairs);
    }

    private static Value toObject(Value value) {
        if (!(value instanceof Value.Array(List<Value> pairs))) {
            throw MongoCode.failure(
                    40386, "$arrayToObject requires an array input, found: " + TypeNames.of(value));
        }
        Map<String, Value> fields = new LinkedHashMap<>();
        for (Value pair : pairs) {
            switch (pair) {
                case Value.Array(List<Value> both) when both.size() == 2 ->
                        fields.put(name(both.getFirst(), 40395), both.getLast());
                case Value.Array(List<Value> some) ->
                        throw MongoCode.failure(
                                40397,
                                "$arrayToObject requires an array of size 2 arrays,found array of size: "
                                        + some.size());
                case Value.Obj(Map<String, Value> both)
                        when both.size() == 2 && both.containsKey("k") && both.containsKey("v") ->
                        fields.put(
                                name(both.getOrDefault("k", Value.Null.NULL), 40394),
                                both.getOrDefault("v", Value.Null.NULL));
                case Value.Obj(Map<String, Value> some) ->
                        throw MongoCode.failure(
                                40392,
                                "$arrayToObject requires an object keys of 'k' and 'v'. Found incorrect number of keys:"
                                        + some.size());
                default ->
                        throw MongoCode.failure(
                                40398,
                                "Unrecognised input type format for $arrayToObject: "
                                        + TypeNames.of(pair));
            }
        }
        return new Value.Obj(fields);
    }

    private static String name(Value value, int code) {
        if (!(value instanceof Value.Text(String name))) {
            throw MongoCode.failure(
                    code,
                    "$arrayToObject requires that the key be of type string, found: "
                            + TypeNames.of(value));
        }
        if (name.indexOf('\0') >= 0) {
            throw MongoCode.failure(4940400, "Key field cannot contain an embedded null byte");
        }
        return name;
    }

    /** The name of a field, in which dots and dollars mean nothing. */
    private static Expression fieldName(
            String operator, int code, Map<String, Value> fields, ExpressionReader reader) {
        Value field = fields.getOrDefault("field", Value.Undefined.UNDEFINED);
        Expression name = reader.read(field);
        if (!(name instanceof Expression.Constant) && !ExpressionReader.isOperator(field)) {
            throw MongoCode.failure(
                    code,
                    "A field path reference which is not allowed in this context. Did you mean"
                            + " {$literal: '...'}?");
        }
        return variables -> {
            Value value = name.evaluate(variables);
            if (!(value instanceof Value.Text)) {
                throw MongoCode.failure(
                        3041704,
                        operator
                                + " requires 'field' to evaluate to type String, but got "
                                + TypeNames.of(value));
            }
            return value;
        };
    }

    private static Expression getField(Value operand, ExpressionReader reader) {
        boolean isNamed =
                operand instanceof Value.Obj(Map<String, Value> given)
                        && !ExpressionReader.isOperator(operand)
                        && !given.isEmpty();
        Map<String, Value> fields =
                isNamed
                        ? Operands.fields("$getField", 3041701, 3041701, operand, "field", "input")
                        : Map.of("field", operand);
        if (!fields.containsKey("field")) {
            throw MongoCode.failure(3041702, "$getField requires 'field' to be specified");
        }
        if (isNamed && !fields.containsKey("input")) {
            throw MongoCode.failure(3041703, "$getField requires 'input' to be specified");
        }
        Expression name = fieldName("$getField", 5654600, fields, reader);
        Expression input = reader.read(fields.getOrDefault("input", Value.of("$$CURRENT")));
        return variables -> {
            String wanted = Operands.text(name.evaluate(variables));
            Value value = input.evaluate(variables);
            if (value instanceof Value.Obj(Map<String, Value> found)) {
                return found.getOrDefault(wanted, Value.Undefined.UNDEFINED);
            }
            return Operands.isNullish(value) && value.isDefined()
                    ? Value.Null.NULL
                    : Value.Undefined.UNDEFINED;
        };
    }

    private static Expression setField(String operator, Value operand, ExpressionReader reader) {
        boolean isUnset = operator.equals("$unsetField");
        Map<String, Value> fields =
                isUnset
                        ? Operands.fields(operator, 4161100, 4161101, operand, "field", "input")
                        : Operands.fields(
                                operator, 4161100, 4161101, operand, "field", "input", "value");
        for (String name :
                isUnset ? List.of("field", "input") : List.of("field", "input", "value")) {
            if (!fields.containsKey(name)) {
                throw MongoCode.failure(
                        name.equals("field") ? 4161102 : name.equals("input") ? 4161109 : 4161103,
                        operator + " requires '" + name + "' to be specified");
            }
        }
        Expression name = fieldName(operator, 4161108, fields, reader);
        Expression input = reader.read(fields.getOrDefault("input", Value.Null.NULL));
        Expression value = reader.read(fields.getOrDefault("value", Value.of("$$REMOVE")));
        return variables -> {
            Value object = input.evaluate(variables);
            if (Operands.isNullish(object)) {
                return Value.Null.NULL;
            }
            if (!(object instanceof Value.Obj(Map<String, Value> present))) {
                throw MongoCode.failure(
                        4161105,
                        operator
                                + " requires 'input' to evaluate to type Object, but got "
                                + TypeNames.of(object));
            }
            Map<String, Value> changed = new LinkedHashMap<>(present);
            String field = Operands.text(name.evaluate(variables));
            Value next = value.evaluate(variables);
            if (next.isDefined()) {
                changed.put(field, next);
            } else {
                changed.remove(field);
            }
            return new Value.Obj(changed);
        };
    }
}
