package orrery.frontend.mongo.command;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition;
import orrery.model.ItemValidator;
import orrery.model.ItemValidator.Action;
import orrery.model.ItemValidator.Level;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.validate.DocumentRule;

/** The options of {@code create} and {@code collMod} that say what documents are held to. */
final class Validators {
    static final Set<String> OPTIONS = Set.of("validator", "validationLevel", "validationAction");

    private static final ItemValidator NONE =
            new ItemValidator(BsonCodec.write(new Doc().build()), Level.STRICT, Action.ERROR);

    private static final Map<String, Level> LEVELS =
            Map.of("off", Level.OFF, "moderate", Level.MODERATE, "strict", Level.STRICT);

    private static final Map<String, Action> ACTIONS =
            Map.of("error", Action.ERROR, "warn", Action.WARN);

    private Validators() {}

    /** Returns true if a command says something of validation. */
    static boolean areNamed(Arguments command) {
        return OPTIONS.stream().anyMatch(name -> command.find(name).isPresent());
    }

    /**
     * Reads what a command says of validation.
     *
     * @param present what stays where the command says nothing
     */
    static Optional<ItemValidator> read(Arguments command, Optional<ItemValidator> present) {
        if (!areNamed(command)) {
            return present;
        }
        ItemValidator before = present.orElse(NONE);
        return Optional.of(
                new ItemValidator(
                        command.document("validator")
                                .map(Validators::filter)
                                .orElse(before.filter()),
                        choice(command, "validationLevel", LEVELS, before.level()),
                        choice(command, "validationAction", ACTIONS, before.action())));
    }

    private static Bytes filter(Value.Obj validator) {
        Bytes filter = BsonCodec.write(validator);
        new ItemValidator(filter, Level.STRICT, Action.ERROR)
                .fault()
                .ifPresent(
                        fault -> {
                            throw MongoCode.INVALID_OPTIONS.failure(fault);
                        });
        DocumentRule.of(filter);
        return filter;
    }

    private static <T> T choice(
            Arguments command, String option, Map<String, T> choices, T otherwise) {
        Optional<String> named = command.text(option);
        if (named.isEmpty()) {
            return otherwise;
        }
        T chosen = choices.get(named.get());
        if (chosen != null) {
            return chosen;
        }
        if (named.get().equals("errorAndLog")) {
            throw MongoCode.INVALID_OPTIONS.failure(
                    "the validationAction 'errorAndLog' is not supported; 'error' refuses, and"
                            + " 'warn' writes to the log of the server");
        }
        throw MongoCode.BAD_VALUE.failure(
                "Enumeration value '"
                        + named.get()
                        + "' for field '"
                        + command.owner()
                        + "."
                        + option
                        + "' is not a valid value.");
    }

    /** Shows what a collection says of validation, in the form in which it was given. */
    static void show(ContainerDefinition definition, Doc options) {
        definition
                .validator()
                .ifPresent(
                        validator -> {
                            Value.Obj filter = BsonCodec.read(validator.filter());
                            if (!filter.properties().isEmpty()) {
                                options.put("validator", filter);
                            }
                            options.put("validationLevel", name(LEVELS, validator.level()))
                                    .put("validationAction", name(ACTIONS, validator.action()));
                        });
    }

    private static <T> String name(Map<String, T> choices, T chosen) {
        return choices.entrySet().stream()
                .filter(choice -> choice.getValue().equals(chosen))
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    /** Returns the rule that documents of a collection are held to, if they are to any. */
    static Optional<DocumentRule> rule(ContainerDefinition definition) {
        return definition
                .validator()
                .filter(validator -> validator.level() != Level.OFF)
                .map(validator -> DocumentRule.of(validator.filter()));
    }
}
