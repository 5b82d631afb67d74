/**
 * What operations cost.
 *
 * <p>{@link orrery.model.metering.RequestCharge} is a pure function of an operation and its sizes,
 * so every replica and every test arrives at the same charge.
 */
@NullMarked
package orrery.model.metering;

import org.jspecify.annotations.NullMarked;
