package orrery.partition;

import orrery.partition.api.PartitionResponse;

/** Takes an answer out of a running script, past all that the script may catch. */
final class FunctionsNeededException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient PartitionResponse.FunctionsNeeded response;

    FunctionsNeededException(PartitionResponse.FunctionsNeeded response) {
        super("a query of a script calls functions that are not at hand");
        this.response = response;
    }

    PartitionResponse.FunctionsNeeded response() {
        return response;
    }
}
