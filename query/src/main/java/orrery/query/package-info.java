/**
 * Queries: the languages they are written in, and the engine that runs them on a partition.
 *
 * <p>Start at {@link orrery.query.QueryRequest} (what a client sends), then {@link
 * orrery.query.FeedQuery} (over resources), {@link orrery.query.PatchCondition}, and {@link
 * orrery.query.execute.QueryExecution} (over the items of a partition). Text that is no query fails
 * with the service's own error form.
 */
@NullMarked
package orrery.query;

import org.jspecify.annotations.NullMarked;
