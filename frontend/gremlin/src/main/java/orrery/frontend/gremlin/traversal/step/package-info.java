/**
 * Steps that ask the engine for many elements at once, and the strategies that put them in the
 * place of TinkerPop's. {@link orrery.frontend.gremlin.traversal.step.GraphStrategies} lists them.
 */
@NullMarked
package orrery.frontend.gremlin.traversal.step;

import org.jspecify.annotations.NullMarked;
