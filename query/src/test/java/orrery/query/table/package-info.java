/** Queries over tables against an evaluation that looks at every entity. */
@NullMarked
package orrery.query.table;

import org.jspecify.annotations.NullMarked;
