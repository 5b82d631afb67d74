/**
 * Plans for SDKs that ask the ranges of a query by themselves and merge the answers: what each
 * range is asked, as rewritten text, and how the results are put together.
 */
@NullMarked
package orrery.frontend.sql.plan;

import org.jspecify.annotations.NullMarked;
