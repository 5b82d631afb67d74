/**
 * The cost of operations.
 *
 * <p>{@link orrery.model.metering.RequestCharge} is a pure function of an operation and its sizes,
 * so every replica and every test arrives at the same {@link orrery.model.metering.Charge}; {@link
 * orrery.model.metering.Receipt} is how clients are told it.
 */
@NullMarked
package orrery.model.metering;

import org.jspecify.annotations.NullMarked;
