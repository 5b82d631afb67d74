package orrery.frontend.rest;

import java.net.InetAddress;

/** Decides if a connection may be opened with the well-known key. */
@FunctionalInterface
public interface KeyPolicy {
    boolean allowsWellKnownKey(InetAddress remote);

    /**
     * The rule unless an operator says otherwise: published keys are good on the machine itself and
     * nowhere else.
     */
    static KeyPolicy loopbackOnly() {
        return InetAddress::isLoopbackAddress;
    }

    /** For an operator who has said that the published key may open the account to everybody. */
    static KeyPolicy everywhere() {
        return _ -> true;
    }
}
