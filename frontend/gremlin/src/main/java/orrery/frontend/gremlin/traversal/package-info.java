/** Compiles what clients ask of a graph, and runs it over the items of a container. */
@NullMarked
package orrery.frontend.gremlin.traversal;

import org.jspecify.annotations.NullMarked;
