package orrery.model;

import java.util.Optional;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The rule that documents of a container are held to when they are written; MongoDB's {@code
 * validator}. The leader evaluates it, and nothing of it is in the log.
 *
 * @param filter BSON of the filter that a document has to match
 */
public record ItemValidator(Bytes filter, Level level, Action action) {
    /** Every partition has the definition, and its history keeps the earlier ones. */
    public static final int MAX_FILTER_BYTES = 64 << 10;

    /** The writes that are held to the rule. */
    public enum Level {
        OFF,
        /** New documents, and changes of those that meet the rule. */
        MODERATE,
        STRICT
    }

    /** The fate of a write that does not meet the rule. */
    public enum Action {
        ERROR,
        WARN
    }

    /** Returns why this is no rule, whatever its filter says. */
    public Optional<String> fault() {
        return filter.length() > MAX_FILTER_BYTES
                ? Optional.of("the validator has more than " + MAX_FILTER_BYTES + " bytes")
                : Optional.empty();
    }

    void write(BinaryWriter out) {
        out.bytes(filter).enumeration(level).enumeration(action);
    }

    static ItemValidator read(BinaryReader in) {
        return new ItemValidator(
                in.bytes(), in.enumeration(Level.class), in.enumeration(Action.class));
    }
}
