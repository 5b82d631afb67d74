/**
 * The Gremlin API: graphs over WebSocket. The connection of a driver is bound to one graph when it
 * logs in; each request is a script or bytecode, which {@link orrery.frontend.gremlin.traversal}
 * runs.
 */
@NullMarked
package orrery.frontend.gremlin;

import org.jspecify.annotations.NullMarked;
