/** Pages of queries over items in memory, held against a naive evaluation. */
@NullMarked
package orrery.query.execute;

import org.jspecify.annotations.NullMarked;
