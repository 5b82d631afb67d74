package orrery.query.mongo.aggregate;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import orrery.document.Value;
import orrery.query.mongo.BsonType;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoNumbers;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.expression.Expression;
import orrery.query.mongo.expression.ExpressionContext;
import orrery.query.mongo.expression.ValueText;

/**
 * What {@code $bucketAuto} says.
 *
 * @param buckets the number of groups that it tries to make
 * @param granularity the series that has the bounds of groups, if they are to be round
 */
record BucketAutoSpec(
        Expression by,
        int buckets,
        List<GroupSpec.Field> fields,
        Optional<Granularity> granularity,
        ExpressionContext context) {
    static BucketAutoSpec of(Value operand, ExpressionContext context) {
        if (!(operand instanceof Value.Obj(Map<String, Value> parts))) {
            throw MongoCode.failure(
                    40240,
                    "The argument to $bucketAuto must be an object, but found type: "
                            + BsonType.of(operand).alias());
        }
        for (String name : parts.keySet()) {
            switch (name) {
                case "groupBy", "buckets", "output", "granularity" -> {}
                default ->
                        throw MongoCode.failure(
                                40245, "Unrecognized option to $bucketAuto: " + name);
            }
        }
        Value by = parts.get("groupBy");
        Value buckets = parts.get("buckets");
        if (by == null || buckets == null) {
            throw MongoCode.failure(
                    40246, "$bucketAuto requires 'groupBy' and 'buckets' to be specified");
        }
        if (!Buckets.isExpression(by)) {
            throw MongoCode.failure(
                    40239,
                    "The $bucketAuto 'groupBy' field must be defined as a $-prefixed path or an"
                            + " expression object, but found: "
                            + ValueText.of(by));
        }
        return new BucketAutoSpec(
                Expression.compile(by, context),
                number(buckets),
                GroupSpec.fields(Buckets.output("$bucketAuto", 40244, parts), context),
                Optional.ofNullable(parts.get("granularity")).map(Granularity::of),
                context);
    }

    private static int number(Value buckets) {
        if (!MongoOrder.isNumber(buckets)) {
            throw MongoCode.failure(
                    40241,
                    "The $bucketAuto 'buckets' field must be a numeric value, but found type: "
                            + BsonType.of(buckets).alias());
        }
        OptionalLong number = MongoNumbers.whole(buckets);
        if (number.isEmpty() || number.getAsLong() != (int) number.getAsLong()) {
            throw MongoCode.failure(
                    40242,
                    "The $bucketAuto 'buckets' field must be representable as a 32-bit integer,"
                            + " but found "
                            + ValueText.of(buckets));
        }
        if (number.getAsLong() <= 0) {
            throw MongoCode.failure(
                    40243,
                    "The $bucketAuto 'buckets' field must be greater than 0, but found: "
                            + number.getAsLong());
        }
        return (int) number.getAsLong();
    }
}
