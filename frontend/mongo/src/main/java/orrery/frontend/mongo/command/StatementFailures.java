package orrery.frontend.mongo.command;

import orrery.document.Value;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/**
 * Decides what the failure of one statement is to its command.
 *
 * @param areNumbered whether the client may send the command again
 */
record StatementFailures(boolean areNumbered, boolean isInTransaction) {
    static StatementFailures of(CommandRequest request, Statements statements) {
        return new StatementFailures(statements.areNumbered(), request.isInTransaction());
    }

    /**
     * Returns the failure as the client hears it. Some make the command fail as a whole instead:
     * that its time is over or that somebody ended it, as servers have it; and, if it can be sent
     * again, one that passes, because drivers send only those that fail as a whole, and the failure
     * of a session that has gone on. In a transaction any failure ends the command, because it ends
     * the transaction.
     *
     * @param id of the document that was to be written, if it is known
     */
    MongoFailure told(Namespace namespace, OrreryException failure, Value id) {
        boolean isEnded = failure.code() == ErrorCode.TIMEOUT && failure.languageCode().isEmpty();
        if (isEnded) {
            throw failure;
        }
        if (areNumbered
                && (failure.code() == ErrorCode.TRANSACTION_TOO_OLD
                        || MongoFailure.of(failure).isRetryable())) {
            throw failure;
        }
        MongoFailure told = WriteErrors.failure(namespace, failure, id);
        if (isInTransaction) {
            throw new WriteErrors.Refused(told);
        }
        return told;
    }
}
