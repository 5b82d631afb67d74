/**
 * SQL as one of the languages that the engine runs. {@link orrery.query.sql.SqlPreparation} turns a
 * syntax tree into a {@link orrery.query.execute.PreparedQuery}; {@link
 * orrery.query.sql.SqlProgram} is the part of it that only SQL knows.
 *
 * <p>SQL is also asked about other things than items of a partition: {@link
 * orrery.query.sql.FeedQuery} about resources, and {@link orrery.query.sql.PatchCondition} about
 * the one item of a patch. A text that is not a query fails with the service's own error form.
 */
@NullMarked
package orrery.query.sql;

import org.jspecify.annotations.NullMarked;
