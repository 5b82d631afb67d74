/**
 * What expressions mean. Values come in and go out as {@link orrery.document.Value}; nothing here
 * knows where rows come from.
 *
 * <p>Start at {@link orrery.query.evaluate.Evaluator}; {@link orrery.query.evaluate.ValueOrder} is
 * the order of all values that sorting and merging rely on.
 */
@NullMarked
package orrery.query.evaluate;

import org.jspecify.annotations.NullMarked;
