package orrery.query.mongo.expression;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import orrery.document.BsonValue;
import orrery.document.Value;

/** The variables that an expression sees. Immutable: one more variable makes a new object. */
public final class Variables {
    private final Value root;
    private final Value current;
    private final Instant now;
    private final Map<String, Value> given;
    private final @Nullable Binding bindings;

    private record Binding(String name, Value value, @Nullable Binding outer) {}

    /**
     * @param root the document, which is also the current one
     * @param now the time of the command
     * @param given variables of the command
     */
    Variables(Value root, Instant now, Map<String, Value> given) {
        this(root, root, now, given, null);
    }

    private Variables(
            Value root,
            Value current,
            Instant now,
            Map<String, Value> given,
            @Nullable Binding bindings) {
        this.root = root;
        this.current = current;
        this.now = now;
        this.given = given;
        this.bindings = bindings;
    }

    public Value root() {
        return root;
    }

    public Value current() {
        return current;
    }

    /** The same variables and one more, which hides another of its name. */
    public Variables with(String name, Value value) {
        return name.equals("CURRENT")
                ? new Variables(root, value, now, given, bindings)
                : new Variables(root, current, now, given, new Binding(name, value, bindings));
    }

    /** The same variables around another current document. */
    public Variables at(Value document) {
        return new Variables(document, document, now, given, bindings);
    }

    /** Undefined if there is none: reading an expression has found its variables. */
    public Value get(String name) {
        switch (name) {
            case "ROOT" -> {
                return root;
            }
            case "CURRENT" -> {
                return current;
            }
            case "REMOVE" -> {
                return Value.Undefined.UNDEFINED;
            }
            case "NOW" -> {
                return new BsonValue.DateTime(now.toEpochMilli());
            }
            case "CLUSTER_TIME" -> {
                return new BsonValue.Timestamp((int) now.getEpochSecond(), 1);
            }
            default -> {}
        }
        for (Binding each = bindings; each != null; each = each.outer()) {
            if (each.name().equals(name)) {
                return each.value();
            }
        }
        return given.getOrDefault(name, Value.Undefined.UNDEFINED);
    }
}
