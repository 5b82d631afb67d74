/** Tests of the texts in plans; plans themselves are covered by the route tests. */
@NullMarked
package orrery.frontend.sql.plan;

import org.jspecify.annotations.NullMarked;
