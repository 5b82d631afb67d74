package orrery.frontend.mongo.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.model.ErrorCode;
import orrery.model.KeyViolation;
import orrery.model.OrreryException;
import orrery.model.resource.Container;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.expression.ValueText;

/** The failures of single writes of a command, which do not make it fail as a whole. */
final class WriteErrors implements WriteOutcomes {
    private final Namespace namespace;
    private final boolean ordered;
    private final StatementFailures failures;
    private final DetailBudget budget = new DetailBudget();
    private final List<Value> errors = new ArrayList<>();
    private long inserted;

    /**
     * @param ordered whether the first failure ends the command
     */
    WriteErrors(StatementFailures failures, Namespace namespace, boolean ordered) {
        this.failures = failures;
        this.namespace = namespace;
        this.ordered = ordered;
    }

    @Override
    public void failed(int index, OrreryException failure, Value id) {
        errors.add(budget.within(failures.told(namespace, failure, id)).writeError(index));
    }

    @Override
    public void inserted(int index) {
        inserted++;
    }

    long inserted() {
        return inserted;
    }

    @Override
    public boolean isOver() {
        return ordered && !errors.isEmpty();
    }

    Doc addTo(Doc reply) {
        return errors.isEmpty() ? reply : reply.put("writeErrors", errors);
    }

    /**
     * A failure, with the index and the values where it is about a key that is taken. Throws the
     * failure itself where the client may not write: then its command fails as a whole.
     *
     * @param container with the indexes, for the directions of their fields
     */
    static MongoFailure failure(
            Namespace namespace,
            Supplier<Optional<Container>> container,
            OrreryException failure,
            Value id) {
        if (MongoFailure.of(failure).code() == MongoCode.UNAUTHORIZED.number()) {
            throw failure;
        }
        if (failure.languageCode().isEmpty() && failure.code() == ErrorCode.CONFLICT) {
            return duplicate(
                    namespace,
                    "_id_",
                    new Doc().put("_id", 1).build(),
                    new Doc().put("_id", id).build());
        }
        if (failure.takenKey().isPresent()) {
            KeyViolation taken = failure.takenKey().get();
            Value.Obj value =
                    taken.key().isEmpty() ? new Doc().build() : BsonCodec.read(taken.key());
            Value.Obj pattern =
                    container
                            .get()
                            .flatMap(found -> IndexCommands.key(found, taken.index()))
                            .orElseGet(() -> ascending(value));
            return duplicate(namespace, taken.index(), pattern, value);
        }
        return MongoFailure.of(failure);
    }

    /** The fields of an index that is gone by now. */
    private static Value.Obj ascending(Value.Obj value) {
        Doc pattern = new Doc();
        value.properties().keySet().forEach(name -> pattern.put(name, 1));
        return pattern.build();
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
