package orrery.server.client;

import java.util.List;
import java.util.Optional;
import orrery.document.JsonText;
import orrery.document.Value;

/**
 * A JSON object that a server sent, read member by member. What is not as expected means that the
 * other end is no server of this kind.
 */
record Answer(Value.Obj json) {
    static Answer parse(String text) {
        return of(JsonText.parse(text));
    }

    private static Answer of(Value value) {
        if (value instanceof Value.Obj object) {
            return new Answer(object);
        }
        throw unexpected("an object");
    }

    Optional<Value> find(String name) {
        return Optional.ofNullable(json.properties().get(name));
    }

    Value value(String name) {
        return find(name).orElseThrow(() -> unexpected(name));
    }

    String text(String name) {
        if (value(name) instanceof Value.Text(String text)) {
            return text;
        }
        throw unexpected(name);
    }

    boolean flag(String name) {
        if (value(name) instanceof Value.Bool(boolean flag)) {
            return flag;
        }
        throw unexpected(name);
    }

    long integer(String name) {
        return integer(name, value(name));
    }

    double number(String name) {
        return switch (value(name)) {
            case Value.Int(long number) -> number;
            case Value.Real(double number) -> number;
            default -> throw unexpected(name);
        };
    }

    Answer object(String name) {
        return of(value(name));
    }

    List<Answer> objects(String name) {
        return elements(name).stream().map(Answer::of).toList();
    }

    List<Long> integers(String name) {
        return elements(name).stream().map(element -> integer(name, element)).toList();
    }

    private static long integer(String name, Value value) {
        if (value instanceof Value.Int(long number)) {
            return number;
        }
        throw unexpected(name);
    }

    List<Value> elements(String name) {
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
