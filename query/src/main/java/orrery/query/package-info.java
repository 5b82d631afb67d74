/**
 * Queries: the languages they are written in, and the engine that runs them on a partition.
 *
 * <p>Start at {@link orrery.query.Statement} (a query of some language), then {@link
 * orrery.query.dialect.Program} (the part that only its language knows) and {@link
 * orrery.query.execute.QueryExecution} (over the items of a partition). {@link
 * orrery.query.sql.SqlStatement} is SQL's.
 */
@NullMarked
package orrery.query;

import org.jspecify.annotations.NullMarked;
