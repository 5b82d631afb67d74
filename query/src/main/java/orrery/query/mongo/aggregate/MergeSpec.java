package orrery.query.mongo.aggregate;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.document.Value;
import orrery.query.mongo.BsonType;
import orrery.query.mongo.MongoCode;

/**
 * What {@code $merge} says.
 *
 * @param database absent for that of the command
 * @param on the fields that a document of the collection has in common with the one that comes;
 *     empty for the default
 * @param let variables for the update, as they were written
 */
public record MergeSpec(
        Optional<String> database,
        String collection,
        List<String> on,
        Optional<Value.Obj> let,
        WhenMatched whenMatched,
        WhenNotMatched whenNotMatched) {
    /** What becomes of a document that is there. */
    public sealed interface WhenMatched {
        record Replace() implements WhenMatched {}

        record KeepExisting() implements WhenMatched {}

        record Merge() implements WhenMatched {}

        record Fail() implements WhenMatched {}

        /** An update by stages. */
        record Update(List<Value> stages) implements WhenMatched {}
    }

    /** What becomes of a document that is not there. */
    public enum WhenNotMatched {
        INSERT,
        DISCARD,
        FAIL
    }

    public MergeSpec {
        on = List.copyOf(on);
    }

    static MergeSpec of(Value operand) {
        return switch (operand) {
            case Value.Text(String collection) ->
                    new MergeSpec(
                            Optional.empty(),
                            collection,
                            List.of(),
                            Optional.empty(),
                            new WhenMatched.Merge(),
                            WhenNotMatched.INSERT);
            case Value.Obj(Map<String, Value> parts) -> of(parts);
            default ->
                    throw MongoCode.failure(
                            51182,
                            "$merge only supports a string or object argument, not "
                                    + BsonType.of(operand).alias());
        };
    }

    private static MergeSpec of(Map<String, Value> parts) {
        for (String name : parts.keySet()) {
            if (!List.of("into", "on", "let", "whenMatched", "whenNotMatched").contains(name)) {
                throw MongoCode.failure(
                        40415, "BSON field '$merge." + name + "' is an unknown field.");
            }
        }
        Value into = parts.get("into");
        if (into == null) {
            throw MongoCode.failure(
                    40414, "BSON field '$merge.into' is missing but a required field");
        }
        WhenMatched whenMatched = whenMatched(parts.get("whenMatched"));
        Optional<Value.Obj> let = let(parts.get("let"));
        if (let.isPresent() && !(whenMatched instanceof WhenMatched.Update)) {
            throw MongoCode.failure(
                    51199,
                    "Cannot use 'let' variables with 'whenMatched: "
                            + ((Value.Text) parts.getOrDefault("whenMatched", Value.of("merge")))
                                    .value()
                            + "' mode");
        }
        return new MergeSpec(
                database(into),
                collection(into),
                on(parts.get("on")),
                let,
                whenMatched,
                whenNotMatched(parts.get("whenNotMatched")));
    }

    private static Optional<String> database(Value into) {
        return into instanceof Value.Obj(Map<String, Value> parts)
                        && parts.get("db") instanceof Value.Text(String database)
                ? Optional.of(database)
                : Optional.empty();
    }

    private static String collection(Value into) {
        return switch (into) {
            case Value.Text(String name) -> name;
            case Value.Obj(Map<String, Value> parts)
                    when parts.get("coll") instanceof Value.Text(String name) ->
                    name;
            case Value.Obj _ ->
                    throw MongoCode.failure(
                            40414, "BSON field '$merge.into.coll' is missing but a required field");
            default ->
                    throw MongoCode.failure(
                            51178,
                            "$merge 'into' field  must be either a string or an object, but found "
                                    + BsonType.of(into).alias());
        };
    }

    private static List<String> on(@Nullable Value value) {
        return switch (value) {
            case null -> List.of();
            case Value.Text(String field) -> List.of(field);
            case Value.Array(List<Value> elements) -> {
                if (elements.isEmpty()) {
                    throw MongoCode.failure(
                            51187,
                            "If explicitly specifying $merge 'on', must include at least one"
                                    + " field");
                }
                List<String> fields = new ArrayList<>();
                for (Value element : elements) {
                    if (!(element instanceof Value.Text(String field))) {
                        throw MongoCode.failure(
                                51134,
                                "$merge 'on' array elements must be strings, but found "
                                        + BsonType.of(element).alias());
                    }
                    if (fields.contains(field)) {
                        throw MongoCode.failure(31465, "Found a duplicate field '" + field + "'");
                    }
                    fields.add(field);
                }
                yield fields;
            }
            default ->
                    throw MongoCode.failure(
                            51186,
                            "$merge 'on' field  must be either a string or an array of strings,"
                                    + " but found "
                                    + BsonType.of(value).alias());
        };
    }

    private static Optional<Value.Obj> let(@Nullable Value value) {
        return switch (value) {
            case null -> Optional.empty();
            case Value.Obj variables -> Optional.of(variables);
            default ->
                    throw MongoCode.TYPE_MISMATCH.failure(
                            "BSON field '$merge.let' is the wrong type '"
                                    + BsonType.of(value).alias()
                                    + "', expected type 'object'");
        };
    }

    private static WhenMatched whenMatched(@Nullable Value value) {
        return switch (value) {
            case null -> new WhenMatched.Merge();
            case Value.Array(List<Value> stages) -> new WhenMatched.Update(stages);
            case Value.Text text ->
                    switch (text.value()) {
                        case "replace" -> new WhenMatched.Replace();
                        case "keepExisting" -> new WhenMatched.KeepExisting();
                        case "merge" -> new WhenMatched.Merge();
                        case "fail" -> new WhenMatched.Fail();
                        default -> throw notValid(text.value(), "whenMatched");
                    };
            default ->
                    throw MongoCode.failure(
                            51191,
                            "$merge 'whenMatched' field  must be either a string or an array, but"
                                    + " found "
                                    + BsonType.of(value).alias());
        };
    }

    private static WhenNotMatched whenNotMatched(@Nullable Value value) {
        return switch (value) {
            case null -> WhenNotMatched.INSERT;
            case Value.Text text ->
                    switch (text.value()) {
                        case "insert" -> WhenNotMatched.INSERT;
                        case "discard" -> WhenNotMatched.DISCARD;
                        case "fail" -> WhenNotMatched.FAIL;
                        default -> throw notValid(text.value(), "whenNotMatched");
                    };
            default ->
                    throw MongoCode.TYPE_MISMATCH.failure(
                            "BSON field '$merge.whenNotMatched' is the wrong type '"
                                    + BsonType.of(value).alias()
                                    + "', expected type 'string'");
        };
    }

    private static RuntimeException notValid(String mode, String field) {
        return MongoCode.BAD_VALUE.failure(
                "Enumeration value '%s' for field '$merge.%s' is not a valid value."
                        .formatted(mode, field));
    }
}
