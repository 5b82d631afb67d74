/**
 * Queries over several ranges: which of them a query needs, what each is asked, and how the answers
 * are put together. The SDKs ask for such a plan and merge by themselves; the gateway does the same
 * for everyone else.
 */
@NullMarked
package orrery.query.plan;

import org.jspecify.annotations.NullMarked;
