package orrery.query.mongo.expression;

import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.query.mongo.match.MatchContext;

/** An expression that was read. Safe to share; the variables belong to one evaluation. */
public interface Expression {
    /** Returns what the expression comes to; undefined is a missing value. */
    Value evaluate(Variables variables);

    /**
     * Reads an expression.
     *
     * @throws orrery.model.OrreryException with the server's code for what is none, and for an
     *     operator that is not supported, by name
     */
    static Expression compile(Value expression, ExpressionContext context) {
        return new ExpressionReader(context).read(expression);
    }

    /** Reads the operand of {@code $expr} in filters. */
    MatchContext.ExpressionReader FOR_FILTERS =
            (operand, matching) -> {
                ExpressionContext context = ExpressionContext.of(matching);
                Expression expression = compile(operand, context);
                return document -> isTrue(expression.evaluate(context.variables(document)));
            };

    /** Returns false for false, zero, null and what is missing; all else is true. */
    static boolean isTrue(Value value) {
        return switch (value) {
            case Value.Undefined _, Value.Null _, BsonValue.Undef _ -> false;
            case Value.Bool(boolean truth) -> truth;
            case Value.Int _, Value.Real _, BsonValue.Int64 _, BsonValue.Decimal _ ->
                    !Numbers.isZero(value);
            default -> true;
        };
    }

    /** A value that depends on nothing. */
    record Constant(Value value) implements Expression {
        @Override
        public Value evaluate(Variables variables) {
            return value;
        }
    }
}
