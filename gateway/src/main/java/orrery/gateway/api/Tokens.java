package orrery.gateway.api;

import orrery.model.RequestContext.Principal;

/** The part of the door for resource tokens that clients bring. */
public interface Tokens {
    /**
     * Tells who holds a token. Throws UNAUTHORIZED for whatever is no token of the account, and
     * FORBIDDEN for one that has expired or ended with its permission.
     *
     * @param token as it was given, {@code type=resource&ver=1.0&sig=...;}
     */
    Principal.Resource open(String token);
}
