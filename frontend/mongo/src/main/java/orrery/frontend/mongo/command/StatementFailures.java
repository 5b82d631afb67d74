package orrery.frontend.mongo.command;

import java.util.Optional;
import java.util.function.Function;
import orrery.document.Value;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.resource.Container;

/**
 * Decides what the failure of one statement is to its command.
 *
 * @param areNumbered whether the client may send the command again
 * @param collections what is written to, with its indexes; asked only after a failure
 */
record StatementFailures(
        boolean areNumbered,
        boolean isInTransaction,
        Function<Namespace, Optional<Container>> collections) {
    static StatementFailures of(
            CommandRequest request, Statements statements, Catalogue catalogue) {
        return new StatementFailures(
                statements.areNumbered(),
                request.isInTransaction(),
                namespace -> catalogue.present(request, namespace));
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
        MongoFailure told =
                WriteErrors.failure(namespace, () -> collections.apply(namespace), failure, id);
        if (isInTransaction) {
            throw new WriteErrors.Refused(told);
        }
        return told;
    }
}
