/**
 * The SQL dialect of the document API: from query text to rows.
 *
 * <p>Start at {@link orrery.query.QueryRequest} (what a client sends), then {@link
 * orrery.query.FeedQuery}, {@link orrery.query.PatchCondition} and {@link orrery.query.ScanQuery}
 * (what can be done with it today). Text that is no query fails with the service's own error form.
 */
@NullMarked
package orrery.query;

import org.jspecify.annotations.NullMarked;
