/**
 * Runs a query on one physical partition, a page at a time. {@link
 * orrery.query.execute.PreparedQuery} is a query made ready once; {@link
 * orrery.query.execute.QueryExecution} fills one page of it from an {@link
 * orrery.query.execute.ItemSource}, which a partition implements over a snapshot.
 *
 * <p>A page goes: {@link orrery.query.execute.AccessPlanner} chooses where candidates come from
 * ({@link orrery.query.execute.Candidates}), each candidate is loaded, its rows are filtered and
 * projected. A page ends when it is full or has done enough work; where it ended is a {@link
 * orrery.query.execute.Position}, which holds no memory and no lock.
 */
@NullMarked
package orrery.query.execute;

import org.jspecify.annotations.NullMarked;
