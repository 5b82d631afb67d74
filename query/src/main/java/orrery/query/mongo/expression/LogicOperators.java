package orrery.query.mongo.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;
import orrery.document.Value;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoOrder;

/** Truth, comparison, and the choice between expressions. */
final class LogicOperators {
    private LogicOperators() {}

    static void addTo(Map<String, ExpressionReader.Operator> table) {
        table.put("$and", all(true));
        table.put("$or", all(false));
        table.put("$not", Operands.ofAny("$not", value -> Value.of(!Expression.isTrue(value))));
        table.put("$eq", comparison("$eq", order -> order == 0));
        table.put("$ne", comparison("$ne", order -> order != 0));
        table.put("$gt", comparison("$gt", order -> order > 0));
        table.put("$gte", comparison("$gte", order -> order >= 0));
        table.put("$lt", comparison("$lt", order -> order < 0));
        table.put("$lte", comparison("$lte", order -> order <= 0));
        table.put(
                "$cmp",
                (operand, reader) -> {
                    List<Expression> both = Operands.exactly("$cmp", 2, operand, reader);
                    MongoOrder order = reader.context().order();
                    return variables -> Value.of(Integer.signum(compare(both, variables, order)));
                });
        table.put("$cond", LogicOperators::cond);
        table.put("$ifNull", LogicOperators::ifNull);
        table.put("$switch", LogicOperators::choice);
    }

    /** Stops at the first operand that decides. */
    private static ExpressionReader.Operator all(boolean isAnd) {
        return (operand, reader) -> {
            List<Expression> operands = Operands.list(operand, reader);
            return variables -> {
                for (Expression each : operands) {
                    if (Expression.isTrue(each.evaluate(variables)) != isAnd) {
                        return Value.of(!isAnd);
                    }
                }
                return Value.of(isAnd);
            };
        };
    }

    private static int compare(List<Expression> both, Variables variables, MongoOrder order) {
        return order.compare(
                both.getFirst().evaluate(variables), both.getLast().evaluate(variables));
    }

    private static ExpressionReader.Operator comparison(String name, IntPredicate holds) {
        return (operand, reader) -> {
            List<Expression> both = Operands.exactly(name, 2, operand, reader);
            MongoOrder order = reader.context().order();
            return variables -> Value.of(holds.test(compare(both, variables, order)));
        };
    }

    private static Expression cond(Value operand, ExpressionReader reader) {
        if (!(operand instanceof Value.Obj)) {
            List<Expression> operands = Operands.exactly("$cond", 3, operand, reader);
            return chosen(operands.get(0), operands.get(1), operands.get(2));
        }
        Operands.Named named =
                Operands.named("$cond", 17083, 17083, operand, reader, "if", "then", "else");
        return chosen(
                named.required("if", 17080),
                named.required("then", 17081),
                named.required("else", 17082));
    }

    private static Expression chosen(Expression condition, Expression then, Expression other) {
        return variables ->
                Expression.isTrue(condition.evaluate(variables))
                        ? then.evaluate(variables)
                        : other.evaluate(variables);
    }

    private static Expression ifNull(Value operand, ExpressionReader reader) {
        List<Expression> operands = Operands.list(operand, reader);
        if (operands.size() < 2) {
            throw MongoCode.failure(
                    1257300, "$ifNull needs at least two arguments, had: " + operands.size());
        }
        return variables -> {
            Value value = Value.Undefined.UNDEFINED;
            for (Expression each : operands) {
                value = each.evaluate(variables);
                if (!Operands.isNullish(value)) {
                    return value;
                }
            }
            return value;
        };
    }

    private record Branch(Expression condition, Expression result) {}

    private static Expression choice(Value operand, ExpressionReader reader) {
        Map<String, Value> fields =
                Operands.fields("$switch", 40060, 40067, operand, "branches", "default");
        if (!(fields.get("branches") instanceof Value.Array(List<Value> listed))) {
            throw MongoCode.failure(
                    40061, "$switch expected an array for 'branches', found: something else");
        }
        if (listed.isEmpty()) {
            throw MongoCode.failure(40068, "$switch requires at least one branch.");
        }
        List<Branch> branches = new ArrayList<>();
        for (Value each : listed) {
            Operands.Named named =
                    Operands.named("$switch", 40062, 40063, each, reader, "case", "then");
            branches.add(new Branch(named.required("case", 40064), named.required("then", 40065)));
        }
        Optional<Expression> other = Optional.ofNullable(fields.get("default")).map(reader::read);
        return variables -> {
            for (Branch branch : branches) {
                if (Expression.isTrue(branch.condition().evaluate(variables))) {
                    return branch.result().evaluate(variables);
                }
            }
            return other.orElseThrow(
                            () ->
                                    MongoCode.failure(
                                            40066,
                                            "$switch could not find a matching branch for an input,"
                                                    + " and no default was specified."))
                    .evaluate(variables);
        };
    }
}
