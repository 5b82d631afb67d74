/**
 * The meaning of queries, row by row. Values come in and go out as {@link orrery.document.Value};
 * nothing here knows where items come from, nor about pages and partitions.
 *
 * <p>Start at {@link orrery.query.evaluate.Evaluator}, which makes expressions ready to run. {@link
 * orrery.query.evaluate.Rows} is FROM and WHERE for one item, {@link
 * orrery.query.evaluate.Projection} the SELECT list, {@link orrery.query.evaluate.Aggregation}
 * GROUP BY and aggregates, {@link orrery.query.evaluate.LimitClauses} TOP, OFFSET and LIMIT. {@link
 * orrery.query.evaluate.ValueOrder} is the order of all values that sorting and merging rely on.
 */
@NullMarked
package orrery.query.evaluate;

import org.jspecify.annotations.NullMarked;
