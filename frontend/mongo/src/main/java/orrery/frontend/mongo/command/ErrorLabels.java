package orrery.frontend.mongo.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import orrery.document.Value;

/** The labels of failures, by which drivers decide what to send again. */
final class ErrorLabels {
    private static final String RETRYABLE_WRITE = "RetryableWriteError";
    private static final String TRANSIENT_TRANSACTION = "TransientTransactionError";

    /** Writes that were not made, or may be made again without harm, if they have a number. */
    private static final Set<Long> RETRYABLE =
            Set.of(6L, 7L, 89L, 91L, 189L, 262L, 9001L, 10107L, 11600L, 11602L, 13435L, 13436L);

    /** Failures that say nothing against the transaction, which may be tried as a whole again. */
    private static final Set<Long> TRANSIENT = Set.of(24L, 112L, 246L, 251L);

    private ErrorLabels() {}

    /**
     * @param command the fields of the command that has failed
     */
    static List<String> of(Map<String, Value> command, long code) {
        if (!command.containsKey("txnNumber")) {
            return List.of();
        }
        boolean isInTransaction = command.containsKey("autocommit");
        boolean isEnd = TransactionFields.ENDS.stream().anyMatch(command::containsKey);
        List<String> labels = new ArrayList<>();
        if (isRetryable(code) && (!isInTransaction || isEnd)) {
            labels.add(RETRYABLE_WRITE);
        }
        if (isInTransaction && (TRANSIENT.contains(code) || (isRetryable(code) && !isEnd))) {
            labels.add(TRANSIENT_TRANSACTION);
        }
        return labels;
    }

    static boolean isRetryable(long code) {
        return RETRYABLE.contains(code);
    }
}
