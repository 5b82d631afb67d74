package orrery.gateway.api;

import orrery.model.metering.Charge;
import orrery.model.resource.Container;

/**
 * The state of a partition key.
 *
 * @param lastWrite the LSN of the key's last write, 0 if it has no items. What is read afterwards
 *     is as that write left it, unless an atomic batch that expects this LSN is refused.
 * @param container the container that holds the key, as it was resolved
 * @param range the physical partition that served the request
 */
public record KeyAnswer(long lastWrite, Container container, int range, long lsn, Charge charge) {}
