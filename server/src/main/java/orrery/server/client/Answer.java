package orrery.server.client;

import java.util.List;
import java.util.Optional;
import orrery.document.JsonText;
import orrery.document.Value;

/**
 * A JSON object that a server sent, read member by member. What is not as expected means that the
 * other end is no server of this kind.
 */
public record Answer(Value.Obj json) {
    public static Answer parse(String text) {
        return of(JsonText.parse(text));
    }

    /** Reads an array of objects. */
    public static List<Answer> parseList(String text) {
        if (JsonText.parse(text) instanceof Value.Array(List<Value> elements)) {
            return elements.stream().map(Answer::of).toList();
        }
        throw unexpected("an array");
    }

    private static Answer of(Value value) {
        if (value instanceof Value.Obj object) {
            return new Answer(object);
        }
        throw unexpected("an object");
    }

    public Optional<Value> find(String name) {
        return Optional.ofNullable(json.properties().get(name));
    }

    public Value value(String name) {
        return find(name).orElseThrow(() -> unexpected(name));
    }

    public String text(String name) {
        if (value(name) instanceof Value.Text(String text)) {
            return text;
        }
        throw unexpected(name);
    }

    public boolean flag(String name) {
        if (value(name) instanceof Value.Bool(boolean flag)) {
            return flag;
        }
        throw unexpected(name);
    }

    public long integer(String name) {
        return integer(name, value(name));
    }

    public double number(String name) {
        return switch (value(name)) {
            case Value.Int(long number) -> number;
            case Value.Real(double number) -> number;
            default -> throw unexpected(name);
        };
    }

    public Answer object(String name) {
        return of(value(name));
    }

    public List<Answer> objects(String name) {
        return elements(name).stream().map(Answer::of).toList();
    }

    public List<Long> integers(String name) {
        return elements(name).stream().map(element -> integer(name, element)).toList();
    }

    private static long integer(String name, Value value) {
        if (value instanceof Value.Int(long number)) {
            return number;
        }
        throw unexpected(name);
    }

    public List<Value> elements(String name) {
        if (value(name) instanceof Value.Array(List<Value> elements)) {
            return elements;
        }
        throw unexpected(name);
    }

    private static ClientException unexpected(String what) {
        return new ClientException(
                "The answer of the server lacks "
                        + what
                        + ". Is it Orrery, and of the version of this command?");
    }
}
