package orrery.gateway.api;

import orrery.model.metering.Charge;

/**
 * The result of a commit, now or when it was sent before: all writes of the transaction are made.
 */
public record CommitAnswer(Charge charge) {}
