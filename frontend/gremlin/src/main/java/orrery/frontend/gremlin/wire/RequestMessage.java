package orrery.frontend.gremlin.wire;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;

/**
 * A request of a driver.
 *
 * @param form in which it came, and in which it is answered
 * @param arguments texts, numbers, booleans, nulls, lists and maps of them, and {@link Traversal}
 */
public record RequestMessage(
        Form form, UUID id, String op, String processor, Map<String, Object> arguments) {

    /** A traversal that the client has compiled, as it came. */
    public interface Traversal {
        /** Reads it. It is read late, because that takes more time than to find where it ends. */
        Bytecode read() throws MalformedRequest;
    }

    public Optional<String> text(String name) throws MalformedRequest {
        return of(name, String.class, "a text");
    }

    public Optional<Integer> number(String name) throws MalformedRequest {
        Optional<Number> number = of(name, Number.class, "a number");
        return number.map(
                value -> Math.clamp(value.longValue(), Integer.MIN_VALUE, Integer.MAX_VALUE));
    }

    /** Returns the variables of a script. */
    public Map<String, Object> bindings() throws MalformedRequest {
        Optional<Map<?, ?>> given = of("bindings", Map.class, "a map").map(map -> map);
        if (given.isEmpty()) {
            return Map.of();
        }
        Map<String, Object> bindings = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : given.get().entrySet()) {
            if (!(entry.getKey() instanceof String name)) {
                throw MalformedRequest.arguments(id, "The name of a binding must be a text.");
            }
            bindings.put(name, entry.getValue());
        }
        return bindings;
    }

    private <T> Optional<T> of(String name, Class<T> type, String words) throws MalformedRequest {
        Object value = arguments.get(name);
        if (value == null) {
            return Optional.empty();
        }
        if (!type.isInstance(value)) {
            throw MalformedRequest.arguments(
                    id, "The argument '" + name + "' must be " + words + ".");
        }
        return Optional.of(type.cast(value));
    }
}
