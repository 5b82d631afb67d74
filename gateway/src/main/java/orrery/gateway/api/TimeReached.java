package orrery.gateway.api;

import orrery.model.SessionToken;
import orrery.model.resource.Container;

/**
 * Says that no change of a container will get a certain time any more, or an earlier one.
 *
 * @param sessionToken all changes up to that time have these LSNs or lower ones
 */
public record TimeReached(Container container, SessionToken sessionToken) {}
