package orrery.frontend.mongo.command;

import java.util.ArrayList;
import java.util.List;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.model.ErrorCode;
import orrery.model.KeyViolation;
import orrery.model.OrreryException;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.expression.ValueText;

/** The failures of single writes of a command, which do not make it fail as a whole. */
final class WriteErrors {
    private final Namespace namespace;
    private final boolean areNumbered;
    private final boolean isInTransaction;
    private final List<Value> errors = new ArrayList<>();

    /**
     * @param statements of the command
     */
    WriteErrors(CommandRequest request, Namespace namespace, Statements statements) {
        this.namespace = namespace;
        this.isInTransaction = request.isInTransaction();
        this.areNumbered = statements.areNumbered();
    }

    /**
     * Adds a failure. Some make the command fail as a whole instead: that its time is over or that
     * somebody ended it, as servers have it; and, if it can be sent again, one that passes, because
     * drivers send only those that fail as a whole, and the failure of a session that has gone on.
     * In a transaction any failure ends the command, because it ends the transaction.
     *
     * @param id of the document that was to be written, if it is known
     */
    void add(int index, OrreryException failure, Value id) {
        boolean isEnded = failure.code() == ErrorCode.TIMEOUT && failure.languageCode().isEmpty();
        if (isEnded) {
            throw failure;
        }
        if (areNumbered
                && (failure.code() == ErrorCode.TRANSACTION_TOO_OLD
                        || MongoFailure.of(failure).isRetryable())) {
            throw failure;
        }
        if (isInTransaction) {
            throw new Refused(failure(namespace, failure, id));
        }
        errors.add(failure(namespace, failure, id).writeError(index));
    }

    boolean isEmpty() {
        return errors.isEmpty();
    }

    Doc addTo(Doc reply) {
        return errors.isEmpty() ? reply : reply.put("writeErrors", errors);
    }

    /** A failure, with the index and the values where it is about a key that is taken. */
    static MongoFailure failure(Namespace namespace, OrreryException failure, Value id) {
        if (failure.languageCode().isEmpty() && failure.code() == ErrorCode.CONFLICT) {
            return duplicate(
                    namespace,
                    "_id_",
                    new Doc().put("_id", 1).build(),
                    new Doc().put("_id", id).build());
        }
        if (failure.violation().isPresent()) {
            KeyViolation taken = failure.violation().get();
            Value.Obj value =
                    taken.key().isEmpty() ? new Doc().build() : BsonCodec.read(taken.key());
            Doc pattern = new Doc();
            value.properties().keySet().forEach(name -> pattern.put(name, 1));
            return duplicate(namespace, taken.index(), pattern.build(), value);
        }
        return MongoFailure.of(failure);
    }

    /** A failure of a command that writes one document, with all that is known about it. */
    static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final transient MongoFailure failure;

        Refused(MongoFailure failure) {
            super(failure.message(), null, false, false);
            this.failure = failure;
        }

        MongoFailure failure() {
            return failure;
        }
    }

    private static MongoFailure duplicate(
            Namespace namespace, String index, Value.Obj pattern, Value.Obj value) {
        return new MongoFailure(
                        MongoCode.DUPLICATE_KEY.number(),
                        "E11000 duplicate key error collection: "
                                + namespace
                                + " index: "
                                + index
                                + " dup key: "
                                + ValueText.of(value))
                .with(new Doc().put("keyPattern", pattern).put("keyValue", value).build());
    }
}
