/** A social graph, and a client of Gremlin's protocol that costs the same whoever answers it. */
@NullMarked
package orrery.bench.graph;

import org.jspecify.annotations.NullMarked;
