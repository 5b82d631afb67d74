package orrery.partition;

import orrery.partition.api.WriteResponse;

/** Takes an answer out of a running script, past all that the script may catch. */
final class FunctionsNeededException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient WriteResponse.FunctionsNeeded response;

    FunctionsNeededException(WriteResponse.FunctionsNeeded response) {
        super("a query of a script calls functions that are not at hand");
        this.response = response;
    }

    WriteResponse.FunctionsNeeded response() {
        return response;
    }
}
