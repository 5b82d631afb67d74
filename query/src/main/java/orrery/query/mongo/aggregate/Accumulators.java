package orrery.query.mongo.aggregate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.Value;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoNumbers;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.expression.Expression;
import orrery.query.mongo.expression.ExpressionContext;
import orrery.query.mongo.expression.PercentileSpec;
import orrery.query.mongo.expression.ValueText;
import orrery.query.mongo.find.SortSpec;

/** Reads the accumulators of groups, by their names. */
final class Accumulators {
    private static final Map<String, Reader> READERS = readers();

    private Accumulators() {}

    /** Reads the operand of one accumulator. */
    private interface Reader {
        Accumulator.Maker read(Value operand, ExpressionContext context);
    }

    /** Makes an accumulator of the values of one expression. */
    private interface OfValues {
        Accumulator make(Expression input, MongoOrder order);
    }

    static Accumulator.Maker read(String name, Value operand, ExpressionContext context) {
        return Optional.ofNullable(READERS.get(name))
                .orElseThrow(
                        () -> MongoCode.failure(15952, "unknown group operator '" + name + "'"))
                .read(operand, context);
    }

    private static Map<String, Reader> readers() {
        Map<String, Reader> table = new HashMap<>();
        table.put("$sum", ofOne("$sum", (input, _) -> new NumberAccumulators.Total(input)));
        table.put("$avg", ofOne("$avg", (input, _) -> new NumberAccumulators.Mean(input)));
        table.put("$stdDevPop", deviation("$stdDevPop", false));
        table.put("$stdDevSamp", deviation("$stdDevSamp", true));
        table.put("$count", Accumulators::count);
        table.put("$min", ofOne("$min", (in, order) -> new Chosen.Extreme(in, order, -1)));
        table.put("$max", ofOne("$max", (in, order) -> new Chosen.Extreme(in, order, 1)));
        table.put("$first", ofOne("$first", (in, _) -> new Chosen.First(in)));
        table.put("$last", ofOne("$last", (in, _) -> new Chosen.Last(in)));
        table.put("$mergeObjects", ofOne("$mergeObjects", (in, _) -> new Chosen.Merged(in)));
        table.put("$push", ofOne("$push", (in, _) -> new ListAccumulators.Push(in)));
        table.put("$addToSet", ofOne("$addToSet", ListAccumulators.Different::new));
        table.put("$firstN", several("$firstN", Several.Kind.FIRST));
        table.put("$lastN", several("$lastN", Several.Kind.LAST));
        table.put("$minN", several("$minN", Several.Kind.LEAST));
        table.put("$maxN", several("$maxN", Several.Kind.GREATEST));
        table.put("$top", sorted("$top", false, true));
        table.put("$bottom", sorted("$bottom", true, true));
        table.put("$topN", sorted("$topN", false, false));
        table.put("$bottomN", sorted("$bottomN", true, false));
        table.put("$median", Accumulators::median);
        table.put("$percentile", Accumulators::percentile);
        table.put(
                "$accumulator",
                (_, _) -> {
                    throw MongoCode.BAD_VALUE.failure("$accumulator is not supported");
                });
        return Map.copyOf(table);
    }

    private static Reader ofOne(String name, OfValues maker) {
        return (operand, context) -> {
            if (operand instanceof Value.Array) {
                throw MongoCode.failure(40237, "The " + name + " accumulator is a unary operator");
            }
            Expression input = Expression.compile(operand, context);
            return _ -> maker.make(input, context.order());
        };
    }

    private static Reader deviation(String name, boolean isSample) {
        return ofOne(name, (input, _) -> new NumberAccumulators.Spread(input, isSample));
    }

    private static Accumulator.Maker count(Value operand, ExpressionContext context) {
        if (!(operand instanceof Value.Obj(Map<String, Value> fields)) || !fields.isEmpty()) {
            throw MongoCode.TYPE_MISMATCH.failure("$count takes no arguments, i.e. $count:{}");
        }
        Expression one = new Expression.Constant(Value.of(1));
        return _ -> new NumberAccumulators.Total(one);
    }

    // ---- those with named operands

    private static Map<String, Value> fields(
            String name, int notObject, int unknown, Value operand, String... allowed) {
        if (!(operand instanceof Value.Obj(Map<String, Value> fields))) {
            throw MongoCode.failure(
                    notObject,
                    "specification must be an object; found " + ValueText.field(name, operand));
        }
        for (String field : fields.keySet()) {
            if (!List.of(allowed).contains(field)) {
                throw MongoCode.failure(
                        unknown, "Unknown argument to " + name + " '" + field + "'");
            }
        }
        return fields;
    }

    private static Value required(
            String name, Map<String, Value> fields, String field, int missing) {
        Value value = fields.get(field);
        if (value == null) {
            throw MongoCode.failure(missing, "Missing value for '" + field + "' in " + name);
        }
        return value;
    }

    private static Reader several(String name, Several.Kind kind) {
        return (operand, context) -> {
            Map<String, Value> fields = fields(name, 5787900, 5787901, operand, "n", "input");
            Expression count = Expression.compile(required(name, fields, "n", 5787906), context);
            Expression input =
                    Expression.compile(required(name, fields, "input", 5787907), context);
            return id -> new Several(kind, input, number(count, id, context), context.order());
        };
    }

    private static Reader sorted(String name, boolean isBottom, boolean isSingle) {
        return (operand, context) -> {
            Map<String, Value> fields =
                    isSingle
                            ? fields(name, 5788001, 5788002, operand, "sortBy", "output")
                            : fields(name, 5788001, 5788002, operand, "n", "sortBy", "output");
            Expression count =
                    isSingle
                            ? new Expression.Constant(Value.of(1))
                            : Expression.compile(required(name, fields, "n", 5788003), context);
            Expression output =
                    Expression.compile(required(name, fields, "output", 5788004), context);
            if (!(required(name, fields, "sortBy", 5788005) instanceof Value.Obj by)) {
                throw MongoCode.failure(
                        5788604,
                        "expected 'sortBy' to already be an object in the arguments to " + name);
            }
            Sorter sorter = new Sorter(SortSpec.of(by, context.order()));
            return id ->
                    new SortedAccumulator(
                            sorter, output, number(count, id, context), isBottom, isSingle);
        };
    }

    /** The number of results, which may depend on the id of the group. */
    private static int number(Expression count, Value id, ExpressionContext context) {
        Value group = new Value.Obj(Map.of("_id", id));
        Value number = count.evaluate(context.variables(group));
        if (!MongoOrder.isNumber(number)) {
            throw MongoCode.failure(
                    5787902,
                    "Value for 'n' must be of integral type, but found " + ValueText.of(number));
        }
        long whole =
                MongoNumbers.whole(number)
                        .orElseThrow(
                                () ->
                                        MongoCode.failure(
                                                5787903,
                                                "Value for 'n' must be of integral type, but found "
                                                        + ValueText.of(number)));
        if (whole <= 0) {
            throw MongoCode.failure(5787908, "'n' must be greater than 0, found " + whole);
        }
        return (int) Math.min(Integer.MAX_VALUE, whole);
    }

    // ---- percentiles

    private static Accumulator.Maker median(Value operand, ExpressionContext context) {
        PercentileSpec spec =
                PercentileSpec.median(operand, each -> Expression.compile(each, context));
        return _ -> new Percentiles(spec);
    }

    private static Accumulator.Maker percentile(Value operand, ExpressionContext context) {
        PercentileSpec spec =
                PercentileSpec.percentile(
                        operand, context, each -> Expression.compile(each, context));
        return _ -> new Percentiles(spec);
    }
}
