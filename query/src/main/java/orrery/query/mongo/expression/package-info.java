/**
 * The expressions of MongoDB's aggregation language: read once, evaluated on one document after the
 * other.
 *
 * <p>Start at {@link orrery.query.mongo.expression.Expression}. {@link
 * orrery.query.mongo.expression.ExpressionReader} finds operators by name in tables, one class for
 * each group of them; accumulators and stages have tables of their own and read their operands with
 * it. An operator that is in no table is refused by name.
 */
@NullMarked
package orrery.query.mongo.expression;

import org.jspecify.annotations.NullMarked;
