/**
 * The operator API under {@code /_orrery}: how containers lie over their partitions, and the levers
 * for it. Start reading at {@link orrery.frontend.operator.OperatorEndpoint}; docs/operator-api.md
 * is what callers read.
 */
@NullMarked
package orrery.frontend.operator;

import org.jspecify.annotations.NullMarked;
