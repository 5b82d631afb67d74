package orrery.partition;

import java.util.Optional;
import orrery.model.ByteSizes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.metering.Charge;
import orrery.partition.machine.Command;
import orrery.partition.machine.Outcome;
import orrery.partition.machine.PartitionState;

/** Words the refusals of a partition for clients. */
final class Refusals {
    private Refusals() {}

    static String text(ErrorCode code) {
        return switch (code) {
            case NOT_FOUND ->
                    "Entity with the specified id does not exist in the system. Resource Not Found.";
            case CONFLICT -> "Entity with the specified id already exists in the system.";
            case UNIQUE_KEY_VIOLATION -> "Unique index constraint violation.";
            case KEY_CHANGED ->
                    "Items of the partition key were written after the transaction read them, so"
                            + " none of its writes was carried out. Read them again and repeat the"
                            + " transaction.";
            case TRANSACTION_TOO_OLD ->
                    "A newer transaction of the session has written already, so this one is too"
                            + " old.";
            case STATEMENT_DONE ->
                    "Statements of this write were carried out before. Send each by itself.";
            case PRECONDITION_FAILED ->
                    "One of the specified pre-condition is not met. Read the item again and retry"
                            + " with its present etag.";
            case RANGE_GONE ->
                    "The requested partition key range is not here any more. Refresh the partition"
                            + " key ranges of the container.";
            case UNAVAILABLE ->
                    "A command could not be applied to this partition. It can be read, but it takes"
                            + " no more changes until an operator repairs it.";
            case RETRY_WITH -> "The partition is busy with another change. Retry in a moment.";
            case TOO_MANY_REQUESTS ->
                    "The request rate is too large. More Request Units may be needed, so no changes"
                            + " were made. Please retry after sometime. Learn more:"
                            + " http://aka.ms/cosmosdb-error-429";
            case BUCKET_USED_UP ->
                    "The requests of this throughput bucket have used its part of the container's"
                            + " throughput, so no changes were made. Retry later, or raise the"
                            + " percentage of the bucket.";
            case READ_SESSION_NOT_AVAILABLE ->
                    "The read session is not available for the input session token.";
            case FAILED_DEPENDENCY ->
                    "Not carried out, because another operation of the batch failed.";
            default -> code.name();
        };
    }

    static OrreryException of(ErrorCode code, Charge charge) {
        return new OrreryException(code, text(code)).withCharge(charge);
    }

    /** Makes the error of the refusal of a change, with the key that is taken if it was for one. */
    static OrreryException of(
            Outcome.Rejected rejected, PartitionState state, Command.ItemChange change) {
        OrreryException refusal = of(rejected, state);
        return rejected.taken().isPresent() && change instanceof Command.ItemChange.Storing put
                ? refusal.withViolation(
                        Optional.of(
                                TakenKeys.violation(
                                        state.definition(),
                                        rejected.taken().get(),
                                        put.encoding(),
                                        put.body())))
                : refusal;
    }

    /**
     * Makes the error of a refusal. If something is full, it says what is full and what the client
     * can do.
     */
    static OrreryException of(Outcome.Rejected rejected, PartitionState state) {
        if (rejected.code() == ErrorCode.LOGICAL_PARTITION_FULL) {
            long limit = state.definition().current().logicalPartitionMaxBytes();
            return new OrreryException(
                            rejected.code(),
                            "Partition key reached maximum size of "
                                    + ByteSizes.text(limit)
                                    + ". Items of this key cannot grow further; choose a partition"
                                    + " key with more distinct values.")
                    .withCharge(Charges.of(rejected));
        }
        if (rejected.code() == ErrorCode.FIXED_CONTAINER_FULL) {
            long limit = state.definition().current().partitionMaxBytes();
            return new OrreryException(
                            rejected.code(),
                            "The container reached its maximum size of "
                                    + ByteSizes.text(limit)
                                    + ". It is a fixed container and cannot grow further. Delete"
                                    + " items, or copy them with the migration tool or the change"
                                    + " feed into a container that has a partition key and at"
                                    + " least 1000 RU/s.")
                    .withCharge(Charges.of(rejected));
        }
        if (rejected.code() == ErrorCode.UNAVAILABLE) {
            String why =
                    state.record()
                            .standing()
                            .failure()
                            .map(
                                    failure ->
                                            " It failed at position "
                                                    + failure.position()
                                                    + " of the log: "
                                                    + failure.reason()
                                                    + ".")
                            .orElse("");
            return new OrreryException(rejected.code(), text(rejected.code()) + why)
                    .withCharge(Charges.of(rejected));
        }
        return of(rejected.code(), Charges.of(rejected));
    }
}
