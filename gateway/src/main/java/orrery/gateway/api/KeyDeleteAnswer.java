package orrery.gateway.api;

import orrery.model.SessionToken;
import orrery.model.metering.Charge;
import orrery.model.resource.Container;

/** All items of a key are deleted, for every reader from now on. */
public record KeyDeleteAnswer(Container container, SessionToken sessionToken, Charge charge) {}
