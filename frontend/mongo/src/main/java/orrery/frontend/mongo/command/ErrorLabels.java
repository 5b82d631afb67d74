package orrery.frontend.mongo.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import orrery.document.Value;
import orrery.query.mongo.MongoCode;

/** The labels of failures, by which drivers decide what to send again. */
final class ErrorLabels {
    private static final String RETRYABLE_WRITE = "RetryableWriteError";
    private static final String RESUMABLE_STREAM = "ResumableChangeStreamError";
    private static final String NOT_RESUMABLE_STREAM = "NonResumableChangeStreamError";
    private static final String TRANSIENT_TRANSACTION = "TransientTransactionError";

    /** Writes that were not made, or may be made again without harm, if they have a number. */
    private static final Set<Long> RETRYABLE =
            Set.of(6L, 7L, 89L, 91L, 189L, 262L, 9001L, 10107L, 11600L, 11602L, 13435L, 13436L);

    /** Failures that say nothing against the transaction, which may be tried as a whole again. */
    private static final Set<Long> TRANSIENT = Set.of(24L, 112L, 246L, 251L, 267L);

    /** Failures after which a change stream goes on where it was, if it is opened again. */
    private static final Set<Long> RESUMABLE =
            Set.of(
                    6L, 7L, 63L, 89L, 91L, 133L, 150L, 189L, 234L, 262L, 9001L, 10107L, 11600L,
                    11602L, 13388L, 13435L, 13436L);

    private ErrorLabels() {}

    /** The labels of a getMore of a change stream. */
    static List<String> ofStream(long code) {
        if (RESUMABLE.contains(code)) {
            return List.of(RESUMABLE_STREAM);
        }
        return code == MongoCode.CHANGE_STREAM_FATAL_ERROR.number()
                        || code == MongoCode.CHANGE_STREAM_HISTORY_LOST.number()
                ? List.of(NOT_RESUMABLE_STREAM)
                : List.of();
    }

    /**
     * The labels of a command that has failed.
     *
     * @param command its fields
     */
    static List<String> of(Map<String, Value> command, long code) {
        List<String> labels = new ArrayList<>(ofWriteConcern(command, code));
        boolean isTransient = TRANSIENT.contains(code) || (isRetryable(code) && !isEnd(command));
        if (isInTransaction(command) && isTransient) {
            labels.add(TRANSIENT_TRANSACTION);
        }
        return labels;
    }

    /** The labels of a command that was carried out, but not as safely as was asked. */
    static List<String> ofWriteConcern(Map<String, Value> command, long code) {
        boolean mayComeAgain =
                command.containsKey("txnNumber") && (!isInTransaction(command) || isEnd(command));
        return mayComeAgain && isRetryable(code) ? List.of(RETRYABLE_WRITE) : List.of();
    }

    private static boolean isInTransaction(Map<String, Value> command) {
        return command.containsKey("txnNumber") && command.containsKey("autocommit");
    }

    private static boolean isEnd(Map<String, Value> command) {
        return TransactionFields.ENDS.stream().anyMatch(command::containsKey);
    }

    static boolean isRetryable(long code) {
        return RETRYABLE.contains(code);
    }
}
