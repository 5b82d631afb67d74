/**
 * Requests as traversals. {@link orrery.frontend.gremlin.traversal.script.Script} reads a text of
 * the service's dialect, which {@link orrery.frontend.gremlin.traversal.script.DialectTokens} turns
 * into TinkerPop's own before it is parsed; {@link
 * orrery.frontend.gremlin.traversal.script.TraversalRules} refuses what the service refuses.
 */
@NullMarked
package orrery.frontend.gremlin.traversal.script;

import org.jspecify.annotations.NullMarked;
