/** Finds the partition keys that the filter of a SQL query leaves, and so the ranges it visits. */
@NullMarked
package orrery.query.plan;

import org.jspecify.annotations.NullMarked;
