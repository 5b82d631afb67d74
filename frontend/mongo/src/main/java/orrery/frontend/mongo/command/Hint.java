package orrery.frontend.mongo.command;

import java.util.Map;
import java.util.Optional;
import orrery.document.Value;
import orrery.model.OrreryException;
import orrery.model.resource.Container;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.find.FindOptions;
import orrery.query.mongo.find.FindStatement;

/** The index that a client wants to be used, by its name or by its fields. */
final class Hint {
    private static final String NATURAL = "$natural";

    private Hint() {}

    /** Fails for a hint that can name no index. */
    static void check(Arguments arguments) {
        switch (arguments.find("hint").orElse(FindOptions.NONE)) {
            case Value.Obj _, Value.Text _ -> {}
            default ->
                    throw MongoCode.FAILED_TO_PARSE.failure(
                            "Hint must be either a string or nested object");
        }
    }

    /** Returns the fields of the index; none where there is no hint. */
    static Value.Obj of(Arguments arguments, Container container) {
        check(arguments);
        Optional<Value> hint = arguments.find("hint");
        if (hint.isEmpty()) {
            return FindOptions.NONE;
        }
        return switch (hint.get()) {
            case Value.Obj key when key.properties().isEmpty() -> FindOptions.NONE;
            case Value.Obj key when key.properties().containsKey(NATURAL) -> natural(key);
            case Value.Obj key -> index(container, "key", key);
            case Value.Text name -> index(container, "name", name);
            default -> throw missing();
        };
    }

    /** The same read, with the hint that goes with it. */
    static FindStatement applied(
            FindStatement statement, Arguments arguments, Container container) {
        Value.Obj hint = of(arguments, container);
        return hint.properties().isEmpty()
                ? statement
                : new FindStatement(statement.options().withHint(hint));
    }

    private static Value.Obj natural(Value.Obj hint) {
        Value direction = hint.properties().getOrDefault(NATURAL, Value.Null.NULL);
        if (hint.properties().size() > 1) {
            throw MongoCode.BAD_VALUE.failure("$natural hint cannot have other fields");
        }
        if (!plain(Value.of(1)).equals(plain(direction))) {
            throw MongoCode.BAD_VALUE.failure(
                    "a hint of {$natural: -1} is not supported, only {$natural: 1}");
        }
        return hint;
    }

    private static Value.Obj index(Container container, String property, Value wanted) {
        return IndexCommands.documents(container).stream()
                .filter(index -> plain(property(index, property)).equals(plain(wanted)))
                .findFirst()
                .map(index -> (Value.Obj) property(index, "key"))
                .orElseThrow(Hint::missing);
    }

    private static Value property(Value.Obj index, String name) {
        return index.properties().getOrDefault(name, Value.Null.NULL);
    }

    /** The fields with their directions, whatever numbers those were written with. */
    private static Object plain(Value value) {
        return switch (value) {
            case Value.Obj(Map<String, Value> fields) ->
                    fields.entrySet().stream()
                            .map(field -> Map.entry(field.getKey(), plain(field.getValue())))
                            .toList();
            case Value.Text(String text) -> text;
            case Value number ->
                    Arguments.number(number).<Object>map(n -> n.signum()).orElse(number);
        };
    }

    private static OrreryException missing() {
        return MongoCode.BAD_VALUE.failure(
                "error processing query: planner returned error :: caused by :: hint provided does"
                        + " not correspond to an existing index");
    }
}
