/**
 * A graph over the items of a container. {@link
 * orrery.frontend.gremlin.traversal.graph.ContainerGraph} is what TinkerPop's steps see of it;
 * {@link orrery.frontend.gremlin.traversal.graph.GraphStore} makes all calls at the door. The form
 * of items is in docs/gremlin.md.
 */
@NullMarked
package orrery.frontend.gremlin.traversal.graph;

import org.jspecify.annotations.NullMarked;
