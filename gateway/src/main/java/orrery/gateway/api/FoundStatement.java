package orrery.gateway.api;

import java.util.Optional;
import orrery.model.metering.Charge;

/**
 * The result of looking for a statement.
 *
 * @param answer that of its write; empty if it was not carried out, or changed nothing
 * @param charge for looking
 */
public record FoundStatement(Optional<ItemAnswer> answer, Charge charge) {}
