package orrery.frontend.rest;

import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestContext.Principal;

/** Tells who holds a resource token. */
@FunctionalInterface
public interface TokenReader {
    /** Throws UNAUTHORIZED or FORBIDDEN where the token lets nobody in. */
    Principal open(String token);

    /** For endpoints that only holders of account keys may use. */
    static TokenReader none() {
        return _ -> {
            throw new OrreryException(
                    ErrorCode.UNAUTHORIZED,
                    "Resource tokens do not work here. Use an account key.");
        };
    }
}
