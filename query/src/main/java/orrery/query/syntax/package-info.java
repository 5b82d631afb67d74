/**
 * Query text as a tree of records. Names are resolved, functions known and their arguments counted
 * once a tree exists; what remains to fail is what only the values can tell.
 *
 * <p>Start at {@link orrery.query.syntax.QueryParser}, then {@link orrery.query.syntax.Query} and
 * {@link orrery.query.syntax.Scalar}.
 */
@NullMarked
package orrery.query.syntax;

import org.jspecify.annotations.NullMarked;
