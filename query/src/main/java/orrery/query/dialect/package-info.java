/**
 * The seam between query languages and the engine that runs them. The engine finds candidates,
 * sorts, pages and merges; it does so for every language alike. A language says what only it knows:
 * which rows an item has, which of them match, what a row becomes and how rows are put into groups.
 *
 * <p>Start at {@link orrery.query.dialect.Program}, which is one query made ready, then {@link
 * orrery.query.dialect.ProgramRun} and {@link orrery.query.dialect.GroupTable}. {@link
 * orrery.query.dialect.AnswerShape}, {@link orrery.query.dialect.SortOrder} and {@link
 * orrery.query.dialect.RowLimit} tell the engine how to put the rows together.
 */
@NullMarked
package orrery.query.dialect;

import org.jspecify.annotations.NullMarked;
