package orrery.query.mongo.expression;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongBinaryOperator;
import orrery.document.BsonCodec;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.query.mongo.MongoCode;

/** Variables, literals, sizes, bits and chance. */
final class OtherOperators {
    private OtherOperators() {}

    static void addTo(Map<String, ExpressionReader.Operator> table) {
        table.put("$literal", (operand, _) -> new Expression.Constant(operand));
        table.put("$expr", (operand, reader) -> reader.read(operand));
        table.put("$let", OtherOperators::let);
        table.put("$rand", OtherOperators::rand);
        table.put("$binarySize", Operands.ofOne("$binarySize", OtherOperators::binarySize));
        table.put("$bsonSize", Operands.ofOne("$bsonSize", OtherOperators::bsonSize));
        table.put("$bitAnd", bits("$bitAnd", -1, (left, right) -> left & right));
        table.put("$bitOr", bits("$bitOr", 0, (left, right) -> left | right));
        table.put("$bitXor", bits("$bitXor", 0, (left, right) -> left ^ right));
        table.put("$bitNot", Operands.ofOne("$bitNot", OtherOperators::bitNot));
        table.put("$tsSecond", timestamp("$tsSecond", 5687301, BsonValue.Timestamp::seconds));
        table.put(
                "$tsIncrement", timestamp("$tsIncrement", 5687302, BsonValue.Timestamp::increment));
        for (String name : List.of("$function", "$accumulator", "$meta", "$where")) {
            table.put(
                    name,
                    (_, _) -> {
                        throw MongoCode.BAD_VALUE.failure(name + " is not supported");
                    });
        }
    }

    private static Expression let(Value operand, ExpressionReader reader) {
        Map<String, Value> fields = Operands.fields("$let", 16874, 16875, operand, "vars", "in");
        if (!(fields.get("vars") instanceof Value.Obj(Map<String, Value> vars))) {
            throw MongoCode.failure(16876, "Missing 'vars' parameter to $let");
        }
        Value in = fields.get("in");
        if (in == null) {
            throw MongoCode.failure(16877, "Missing 'in' parameter to $let");
        }
        Map<String, Expression> values = new LinkedHashMap<>();
        ExpressionReader inner = reader;
        for (Map.Entry<String, Value> each : vars.entrySet()) {
            String name = ExpressionReader.variableName(each.getKey());
            values.put(name, reader.read(each.getValue()));
            inner = inner.with(name);
        }
        Expression body = inner.read(in);
        return variables -> {
            Variables more = variables;
            for (Map.Entry<String, Expression> each : values.entrySet()) {
                more = more.with(each.getKey(), each.getValue().evaluate(variables));
            }
            return body.evaluate(more);
        };
    }

    /** Numbers follow from the seed of the command, so that nothing here asks for chance. */
    private static Expression rand(Value operand, ExpressionReader reader) {
        boolean isEmpty =
                (operand instanceof Value.Obj(Map<String, Value> fields) && fields.isEmpty())
                        || (operand instanceof Value.Array(List<Value> none) && none.isEmpty());
        if (!isEmpty) {
            throw MongoCode.failure(3040501, "$rand does not currently accept arguments");
        }
        AtomicLong state = new AtomicLong(reader.context().seed());
        return _ -> new Value.Real((mixed(state.addAndGet(0x9E3779B97F4A7C15L)) >>> 11) * 0x1p-53);
    }

    /** The finalizer of SplitMix64. */
    private static long mixed(long state) {
        long bits = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
        bits = (bits ^ (bits >>> 27)) * 0x94D049BB133111EBL;
        return bits ^ (bits >>> 31);
    }

    private static Value binarySize(Value value) {
        return switch (value) {
            case Value.Text(String text) -> Value.of(TextOperators.utf8Length(text));
            case BsonValue.Binary(int _, Bytes data) -> Value.of(data.length());
            default ->
                    throw MongoCode.failure(
                            51276,
                            "$binarySize requires a string or BinData argument, found: "
                                    + TypeNames.of(value));
        };
    }

    private static Value bsonSize(Value value) {
        if (value instanceof Value.Obj document) {
            return Value.of(BsonCodec.write(document).length());
        }
        throw MongoCode.failure(
                31393, "$bsonSize requires a document input, found: " + TypeNames.of(value));
    }

    private static ExpressionReader.Operator bits(
            String name, long neutral, LongBinaryOperator rule) {
        return Operands.ofMany(
                operands -> {
                    long bits = neutral;
                    Numbers.Width width = Numbers.Width.INT;
                    for (Value operand : operands) {
                        if (Operands.isNullish(operand)) {
                            return Value.Null.NULL;
                        }
                        requireInteger(name, operand);
                        bits = rule.applyAsLong(bits, Numbers.toLong(operand));
                        width = width.or(Numbers.width(operand));
                    }
                    return Numbers.integer(bits, width);
                });
    }

    private static void requireInteger(String name, Value value) {
        if (!Numbers.isInteger(value)) {
            throw MongoCode.TYPE_MISMATCH.failure(
                    name + " only supports int and long operands, not " + TypeNames.of(value));
        }
    }

    private static Value bitNot(Value value) {
        requireInteger("$bitNot", value);
        return Numbers.integer(~Numbers.toLong(value), Numbers.width(value));
    }

    private static ExpressionReader.Operator timestamp(
            String name, int code, java.util.function.ToIntFunction<BsonValue.Timestamp> part) {
        return Operands.ofOne(
                name,
                value -> {
                    if (value instanceof BsonValue.Timestamp timestamp) {
                        return Numbers.int64(Integer.toUnsignedLong(part.applyAsInt(timestamp)));
                    }
                    throw MongoCode.failure(
                            code,
                            name
                                    + " requires argument of type timestamp, found: "
                                    + TypeNames.of(value));
                });
    }
}
