/**
 * Finds what the index knows about the answer to a query. {@link orrery.query.index.FilterAnalysis}
 * turns a filter into an {@link orrery.query.index.IndexFilter}: values on paths that every
 * matching item must have. {@link orrery.query.index.IndexAvailability} says which of those paths
 * can be looked up, given the policies under which the items were written.
 *
 * <p>What is said here is always a superset: whoever follows it looks at each item again.
 */
@NullMarked
package orrery.query.index;

import org.jspecify.annotations.NullMarked;
