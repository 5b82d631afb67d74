package orrery.model;

import java.util.Locale;
import java.util.Optional;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * A client's definition of a script of a container.
 *
 * @param name unique among the scripts of its kind in the container
 * @param body the JavaScript function, as the client sent it
 * @param trigger when a trigger runs; empty for the other kinds
 */
public record ScriptDefinition(Kind kind, String name, String body, Optional<Trigger> trigger) {
    public ScriptDefinition {
        if (trigger.isPresent() != (kind == Kind.TRIGGER)) {
            throw new IllegalArgumentException("triggers, and only they, say when they run");
        }
    }

    /** A procedure or a function. */
    public ScriptDefinition(Kind kind, String name, String body) {
        this(kind, name, body, Optional.empty());
    }

    public enum Kind {
        PROCEDURE,
        TRIGGER,
        FUNCTION
    }

    /**
     * A trigger runs before or after the writes that name it. Both texts are kept as the client
     * spelled them, because SDKs compare what they read with what they sent.
     *
     * @param side a name of {@link When}, in any case
     * @param write a name of {@link TriggerOperation}, in any case
     */
    public record Trigger(String side, String write) {
        public Trigger {
            var unusedWhen = When.valueOf(upper(side));
            var unusedOperation = TriggerOperation.valueOf(upper(write));
        }

        /** Spells both as the service does: {@code Pre}, {@code All}. */
        public Trigger(When when, TriggerOperation operation) {
            this(word(when), word(operation));
        }

        public When when() {
            return When.valueOf(upper(side));
        }

        public TriggerOperation operation() {
            return TriggerOperation.valueOf(upper(write));
        }

        private boolean isSpelledAsUsual() {
            return equals(new Trigger(when(), operation()));
        }

        private static String upper(String text) {
            return text.toUpperCase(Locale.ROOT);
        }

        private static String word(Enum<?> constant) {
            String name = constant.name();
            return name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
        }
    }

    public enum When {
        PRE,
        POST
    }

    /** The byte behind the body says which form of a trigger follows. */
    private static final int NO_TRIGGER = 0;

    private static final int TRIGGER = 1;
    private static final int TRIGGER_SPELLED = 2;

    public void write(BinaryWriter out) {
        out.enumeration(kind).string(name).string(body);
        if (trigger.isEmpty()) {
            out.u8(NO_TRIGGER);
        } else if (trigger.get().isSpelledAsUsual()) {
            Trigger rule = trigger.get();
            out.u8(TRIGGER).enumeration(rule.when()).enumeration(rule.operation());
        } else {
            out.u8(TRIGGER_SPELLED).string(trigger.get().side()).string(trigger.get().write());
        }
    }

    public static ScriptDefinition read(BinaryReader in) {
        return in.checked(
                all ->
                        new ScriptDefinition(
                                all.enumeration(Kind.class),
                                all.string(),
                                all.string(),
                                readTrigger(all)));
    }

    private static Optional<Trigger> readTrigger(BinaryReader in) {
        return switch (in.u8()) {
            case NO_TRIGGER -> Optional.empty();
            case TRIGGER ->
                    Optional.of(
                            new Trigger(
                                    in.enumeration(When.class),
                                    in.enumeration(TriggerOperation.class)));
            case TRIGGER_SPELLED -> Optional.of(new Trigger(in.string(), in.string()));
            default -> throw new MalformedRecordException("unknown kind of trigger");
        };
    }
}
