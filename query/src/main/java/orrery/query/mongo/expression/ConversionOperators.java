package orrery.query.mongo.expression;

import java.util.Map;
import java.util.Optional;
import orrery.document.Value;
import orrery.model.OrreryException;
import orrery.query.mongo.BsonType;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoNumbers;

/** Operators that tell and change types. */
final class ConversionOperators {
    private ConversionOperators() {}

    static void addTo(Map<String, ExpressionReader.Operator> table) {
        table.put("$type", Operands.ofAny("$type", value -> Value.of(TypeNames.of(value))));
        table.put(
                "$isNumber",
                Operands.ofAny("$isNumber", value -> Value.of(Numbers.isNumber(value))));
        table.put("$convert", ConversionOperators::convert);
        to(table, "$toBool", BsonType.BOOL);
        to(table, "$toInt", BsonType.INT);
        to(table, "$toLong", BsonType.LONG);
        to(table, "$toDouble", BsonType.DOUBLE);
        to(table, "$toDecimal", BsonType.DECIMAL);
        to(table, "$toString", BsonType.STRING);
        to(table, "$toDate", BsonType.DATE);
        to(table, "$toObjectId", BsonType.OBJECT_ID);
    }

    private static void to(
            Map<String, ExpressionReader.Operator> table, String name, BsonType type) {
        table.put(name, Operands.ofOne(name, value -> Conversions.convert(value, type)));
    }

    private static Expression convert(Value operand, ExpressionReader reader) {
        Operands.Named named =
                Operands.named(
                        "$convert",
                        MongoCode.FAILED_TO_PARSE.number(),
                        MongoCode.FAILED_TO_PARSE.number(),
                        operand,
                        reader,
                        "input",
                        "to",
                        "onError",
                        "onNull");
        Expression input = named.required("input", MongoCode.FAILED_TO_PARSE.number());
        Expression to = named.required("to", MongoCode.FAILED_TO_PARSE.number());
        Expression onNull = named.or("onNull", Value.Null.NULL);
        Optional<Expression> onError = named.find("onError");
        return variables -> {
            Value value = input.evaluate(variables);
            Value type = to.evaluate(variables);
            if (Operands.isNullish(value)) {
                return onNull.evaluate(variables);
            }
            if (Operands.isNullish(type)) {
                return Value.Null.NULL;
            }
            BsonType target = type(type);
            try {
                return Conversions.convert(value, target);
            } catch (OrreryException cannot) {
                return onError.orElseThrow(() -> cannot).evaluate(variables);
            }
        };
    }

    private static BsonType type(Value value) {
        if (value instanceof Value.Text(String alias)) {
            return BsonType.ofAlias(alias)
                    .orElseThrow(() -> MongoCode.BAD_VALUE.failure("Unknown type name: " + alias));
        }
        if (!Numbers.isNumber(value)) {
            throw MongoCode.FAILED_TO_PARSE.failure(
                    "$convert's 'to' argument must be a string or number, but is "
                            + TypeNames.of(value));
        }
        return BsonType.ofNumber(MongoNumbers.whole(value).orElse(Long.MIN_VALUE))
                .orElseThrow(
                        () ->
                                MongoCode.FAILED_TO_PARSE.failure(
                                        "In $convert, numeric value for 'to' does not correspond to"
                                                + " a BSON type: "
                                                + ValueText.of(value)));
    }
}
