package orrery.frontend.rest;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import orrery.document.HeapSize;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.memory.MemoryAccount;

/**
 * Takes a JSON object apart member by member and refuses what nobody asked for, so that no setting
 * is ever dropped unseen. A member that is {@code null} counts as absent: SDKs write their unset
 * fields so.
 */
public final class BodyReader {
    private final String where;
    private final Map<String, Value> members;
    private final Set<String> seen = new HashSet<>();

    private BodyReader(String where, Value.Obj object) {
        this.where = where;
        this.members = object.properties();
    }

    public static BodyReader of(Bytes body) {
        Value value = JsonText.parse(body);
        MemoryAccount.current().take(HeapSize.of(value));
        return new BodyReader("", object("The body of the request", value));
    }

    /** Names the value by its path from the body, as {@code indexingPolicy.includedPaths}. */
    public static BodyReader of(String where, Value value) {
        return new BodyReader(where, object("'" + where + "'", value));
    }

    public Optional<Value> find(String name) {
        seen.add(name);
        Value value = members.get(name);
        return value == null || value == Value.Null.NULL ? Optional.empty() : Optional.of(value);
    }

    /** Returns true if the member is there and null, which {@link #find} takes for absent. */
    public boolean isNull(String name) {
        return members.get(name) == Value.Null.NULL;
    }

    public Optional<String> text(String name) {
        return find(name)
                .map(
                        value -> {
                            if (value instanceof Value.Text(String text)) {
                                return text;
                            }
                            throw refused(name, "must be a string");
                        });
    }

    public Optional<Boolean> bool(String name) {
        return find(name)
                .map(
                        value -> {
                            if (value instanceof Value.Bool(boolean bool)) {
                                return bool;
                            }
                            throw refused(name, "must be true or false");
                        });
    }

    public OptionalLong integer(String name) {
        Optional<Value> value = find(name);
        if (value.isEmpty()) {
            return OptionalLong.empty();
        }
        return switch (value.get()) {
            case Value.Int(long number) -> OptionalLong.of(number);
            case Value.Real(double number) when number == Math.rint(number) && isExact(number) ->
                    OptionalLong.of((long) number);
            default -> throw refused(name, "must be a whole number");
        };
    }

    private static boolean isExact(double number) {
        return Math.abs(number) <= 0x1p53;
    }

    public Optional<BodyReader> object(String name) {
        return find(name).map(value -> of(path(name), value));
    }

    /** The elements of an array; none where it is absent. */
    public List<Value> array(String name) {
        return find(name)
                .map(
                        value -> {
                            if (value instanceof Value.Array(List<Value> elements)) {
                                return elements;
                            }
                            throw new OrreryException(
                                    ErrorCode.BAD_REQUEST,
                                    "One of the specified inputs is invalid. '"
                                            + path(name)
                                            + "' must be an array.");
                        })
                .orElse(List.of());
    }

    /** The objects in an array; none where it is absent. */
    public List<BodyReader> objects(String name) {
        List<Value> elements = array(name);
        return IntStream.range(0, elements.size())
                .mapToObj(i -> of(path(name) + "[" + i + "]", elements.get(i)))
                .toList();
    }

    /** One of the constants, whatever the case of its letters. */
    public <E extends Enum<E>> Optional<E> choice(String name, Map<String, E> choices) {
        return text(name)
                .map(
                        text -> {
                            E chosen = choices.get(text.toLowerCase(Locale.ROOT));
                            if (chosen == null) {
                                throw refused(
                                        name,
                                        "must be one of "
                                                + String.join(", ", new TreeSet<>(choices.keySet()))
                                                + ", not '"
                                                + text
                                                + "'");
                            }
                            return chosen;
                        });
    }

    /** One of the constants in the client's spelling: SDKs compare it with what they sent. */
    public <E extends Enum<E>> Optional<String> spelling(String name, Map<String, E> choices) {
        return choice(name, choices).flatMap(_ -> text(name));
    }

    /** Passes over a member that the server writes itself. */
    public void ignore(String... names) {
        seen.addAll(List.of(names));
    }

    /** Refuses a setting whose feature is not there yet, unless it says nothing. */
    public void refuseUnlessEmpty(String name) {
        Optional<Value> value = find(name);
        if (value.isPresent() && !saysNothing(value.get())) {
            throw refused(name, "is not available yet");
        }
    }

    private static boolean saysNothing(Value value) {
        return switch (value) {
            case Value.Null _, Value.Undefined _ -> true;
            case Value.Array(List<Value> elements) -> elements.isEmpty();
            case Value.Obj(Map<String, Value> properties) ->
                    properties.values().stream().allMatch(BodyReader::saysNothing);
            default -> false;
        };
    }

    /** Call last: whatever has not been read is refused by name. */
    public void finish() {
        Set<String> unknown = new TreeSet<>(members.keySet());
        unknown.removeAll(seen);
        if (!unknown.isEmpty()) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "The request has members that are not known here: "
                            + String.join(", ", unknown.stream().map(this::path).toList())
                            + ".");
        }
    }

    public String path(String name) {
        return where.isEmpty() ? name : where + "." + name;
    }

    public OrreryException refused(String name, String reason) {
        return new OrreryException(ErrorCode.BAD_REQUEST, "'" + path(name) + "' " + reason + ".");
    }

    private static Value.Obj object(String what, Value value) {
        if (value instanceof Value.Obj object) {
            return object;
        }
        throw new OrreryException(ErrorCode.BAD_REQUEST, what + " must be a JSON object.");
    }
}
