/**
 * Writes that say what to make of an item: the leader evaluates them on the version that is there,
 * and the log holds the bytes they came to.
 *
 * <p>Start at {@link orrery.query.write.WriteDialect}. {@link orrery.query.write.WriteDialects} has
 * them by number; an {@link orrery.query.write.Evaluation} names one in a message. A dialect is
 * never evaluated when a command is applied, so a new one changes no stored byte.
 */
@NullMarked
package orrery.query.write;

import org.jspecify.annotations.NullMarked;
