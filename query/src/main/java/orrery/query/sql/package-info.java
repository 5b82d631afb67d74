/**
 * SQL as one of the languages that the engine runs. {@link orrery.query.sql.SqlPreparation} turns a
 * syntax tree into a {@link orrery.query.execute.PreparedQuery}; {@link
 * orrery.query.sql.SqlProgram} is the part of it that only SQL knows.
 */
@NullMarked
package orrery.query.sql;

import org.jspecify.annotations.NullMarked;
