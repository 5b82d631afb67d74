package orrery.frontend.rest;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/** Decides what a client hears of a failure. */
public final class HeardFailure {
    private HeardFailure() {}

    /**
     * Returns the failure as it may be told. The cause of an internal one goes to the log, as a
     * client can do nothing with it.
     *
     * @param request names the request in the log
     */
    public static OrreryException of(Logger log, String request, RuntimeException cause) {
        if (cause instanceof OrreryException failure && failure.code() != ErrorCode.INTERNAL) {
            return failure;
        }
        log.log(Level.ERROR, request + " failed", cause);
        OrreryException told =
                new OrreryException(
                        ErrorCode.INTERNAL,
                        "The server failed to answer; its log has the reason under "
                                + request
                                + ".",
                        cause);
        return cause instanceof OrreryException failure ? told.withCharge(failure.charge()) : told;
    }
}
