package orrery.partition;

import java.lang.System.Logger;
import java.util.Optional;
import orrery.document.BodyFormat;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.DocumentViolation;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.ItemValidator;
import orrery.model.OrreryException;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.validate.DocumentRule;

/**
 * Holds what a request writes to the validator of its container, at the leader and before the log:
 * whichever API sends the request, and whatever the body was made by. It goes by the definition
 * that is in force when the body is computed.
 */
final class RuleCheck {
    private static final Logger LOG = System.getLogger(RuleCheck.class.getName());

    private final ContainerDefinition definition;
    private final Optional<ItemValidator> validator;

    /**
     * @param isUnchecked whether the sender may write what does not meet the validator
     */
    RuleCheck(ContainerDefinition definition, boolean isUnchecked) {
        this.definition = definition;
        this.validator =
                isUnchecked
                        ? Optional.empty()
                        : definition
                                .validator()
                                .filter(rule -> rule.level() != ItemValidator.Level.OFF);
    }

    /** Returns true if what an item was before its change decides whether the change is held. */
    boolean needsPresent() {
        return validator.filter(rule -> rule.level() == ItemValidator.Level.MODERATE).isPresent();
    }

    /** Throws if the body must not be written in place of no item, or of one that is not known. */
    void check(Bytes body) {
        check(Optional.empty(), body);
    }

    /**
     * Throws if the body must not be written.
     *
     * @param present the version that it replaces
     */
    void check(Optional<Item> present, Bytes body) {
        if (validator.isEmpty()) {
            return;
        }
        ItemValidator rule = validator.get();
        DocumentRule ready = DocumentRule.of(rule.filter());
        Value.Obj document = value(body);
        if (ready.accepts(document)
                || (needsPresent()
                        && present.isPresent()
                        && !ready.accepts(value(present.get().body())))) {
            return;
        }
        if (rule.action() == ItemValidator.Action.WARN) {
            LOG.log(
                    Logger.Level.WARNING,
                    "a document that does not meet the validator of its collection is written: {0}",
                    BodyFormat.of(definition.kind().encoding())
                            .toJson(ready.reasons(document))
                            .toUtf8());
            return;
        }
        throw new OrreryException(ErrorCode.BAD_REQUEST, "Document failed validation")
                .withLanguageCode(MongoCode.DOCUMENT_VALIDATION_FAILURE.number())
                .withViolation(Optional.of(new DocumentViolation(ready.reasons(document))));
    }

    private Value.Obj value(Bytes body) {
        return BodyFormat.of(definition.kind().encoding()).value(body);
    }
}
