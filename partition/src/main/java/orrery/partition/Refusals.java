package orrery.partition;

import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.metering.Charge;

/** What clients are told when a partition refuses. */
final class Refusals {
    private Refusals() {}

    static String text(ErrorCode code) {
        return switch (code) {
            case NOT_FOUND -> "Entity with the specified id does not exist in the system.";
            case CONFLICT -> "Entity with the specified id already exists in the system.";
            case PRECONDITION_FAILED ->
                    "One of the specified pre-condition is not met. Read the item again and retry"
                            + " with its present etag.";
            case RANGE_GONE ->
                    "The requested partition key range is not here any more. Refresh the partition"
                            + " key ranges of the container.";
            case RETRY_WITH -> "The partition is busy with another change. Retry in a moment.";
            case TOO_MANY_REQUESTS ->
                    "The request rate is too large. More Request Units may be needed, so no changes"
                            + " were made. Please retry after sometime. Learn more:"
                            + " http://aka.ms/cosmosdb-error-429";
            case READ_SESSION_NOT_AVAILABLE ->
                    "The read session is not available for the input session token.";
            default -> code.name();
        };
    }

    static OrreryException of(ErrorCode code, Charge charge) {
        return new OrreryException(code, text(code)).withCharge(charge);
    }
}
