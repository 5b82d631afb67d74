/**
 * The meaning of a query without index, pages or partitions, as an oracle for all that has them.
 */
@NullMarked
package orrery.query.naive;

import org.jspecify.annotations.NullMarked;
