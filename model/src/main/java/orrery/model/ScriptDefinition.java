package orrery.model;

import java.util.Optional;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

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

    /** With which writes a trigger may be named, and on which side of them it runs. */
    public record Trigger(When when, TriggerOperation operation) {}

    public enum When {
        PRE,
        POST
    }

    public void write(BinaryWriter out) {
        out.enumeration(kind)
                .string(name)
                .string(body)
                .optional(
                        trigger,
                        (w, rule) -> w.enumeration(rule.when()).enumeration(rule.operation()));
    }

    public static ScriptDefinition read(BinaryReader in) {
        return in.checked(
                all ->
                        new ScriptDefinition(
                                all.enumeration(Kind.class),
                                all.string(),
                                all.string(),
                                all.optional(
                                        rule ->
                                                new Trigger(
                                                        rule.enumeration(When.class),
                                                        rule.enumeration(
                                                                TriggerOperation.class)))));
    }
}
