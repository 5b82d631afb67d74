package orrery.query.mongo.match;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import orrery.document.Value;
import orrery.model.OrreryException;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoNumbers;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.match.JsonSchema.Counted;

/** Reads the operand of {@code $jsonSchema}. A keyword that is not supported is refused by name. */
final class SchemaParser {
    /** Keywords of JSON Schema that are not supported here, some of them not by the server. */
    private static final Set<String> REFUSED =
            Set.of(
                    "$ref",
                    "$schema",
                    "default",
                    "definitions",
                    "format",
                    "id",
                    "multipleOf",
                    "dependencies",
                    "additionalItems",
                    "encrypt",
                    "encryptMetadata");

    private static final Map<String, String> JSON_TYPES =
            Map.of(
                    "object", "object",
                    "array", "array",
                    "number", "number",
                    "boolean", "bool",
                    "string", "string",
                    "null", "null");

    private final OperandParser operands;

    SchemaParser(OperandParser operands) {
        this.operands = operands;
    }

    JsonSchema schema(Value operand) {
        return schema("$jsonSchema", operand);
    }

    private JsonSchema schema(String keyword, Value operand) {
        if (!(operand instanceof Value.Obj(Map<String, Value> keywords))) {
            throw mismatch(keyword, "an object");
        }
        if (keywords.containsKey("type") && keywords.containsKey("bsonType")) {
            throw MongoCode.FAILED_TO_PARSE.failure(
                    "Cannot specify both $jsonSchema keywords 'type' and 'bsonType'");
        }
        List<JsonSchema.Rule> rules = new ArrayList<>();
        keywords.forEach((name, value) -> rule(name, value, keywords).ifPresent(rules::add));
        properties(keywords).ifPresent(rules::add);
        return new JsonSchema(rules);
    }

    private Optional<JsonSchema.Rule> rule(String name, Value value, Map<String, Value> all) {
        return switch (name) {
            case "type" -> Optional.of(types(name, value, true));
            case "bsonType" -> Optional.of(types(name, value, false));
            case "enum" -> Optional.of(new JsonSchema.OneOfValues(distinct(name, value)));
            case "minimum" -> Optional.of(bound(name, value, all));
            case "maximum" -> Optional.of(bound(name, value, all));
            case "exclusiveMinimum" -> exclusive(name, "minimum", value, all);
            case "exclusiveMaximum" -> exclusive(name, "maximum", value, all);
            case "minLength" -> least(name, Counted.CHARACTERS, value);
            case "maxLength" -> most(name, Counted.CHARACTERS, value);
            case "minProperties" -> least(name, Counted.PROPERTIES, value);
            case "maxProperties" -> most(name, Counted.PROPERTIES, value);
            case "minItems" -> least(name, Counted.ELEMENTS, value);
            case "maxItems" -> most(name, Counted.ELEMENTS, value);
            case "pattern" -> Optional.of(new JsonSchema.Pattern(regex(text(name, value))));
            case "required" -> Optional.of(required(name, value));
            case "items" -> Optional.of(items(name, value));
            case "uniqueItems" ->
                    truth(name, value) ? Optional.of(new JsonSchema.Unique()) : Optional.empty();
            case "allOf" -> Optional.of(accepted(name, value, Long.MAX_VALUE, Long.MAX_VALUE));
            case "anyOf" -> Optional.of(accepted(name, value, 1, Long.MAX_VALUE));
            case "oneOf" -> Optional.of(accepted(name, value, 1, 1));
            case "not" -> Optional.of(new JsonSchema.Accepted(List.of(schema(name, value)), 0, 0));
            case "title", "description" -> {
                text(name, value);
                yield Optional.empty();
            }
            // They belong together, so they become one rule.
            case "properties", "patternProperties", "additionalProperties" -> Optional.empty();
            default ->
                    throw MongoCode.FAILED_TO_PARSE.failure(
                            REFUSED.contains(name)
                                    ? "$jsonSchema keyword '"
                                            + name
                                            + "' is not currently supported"
                                    : "Unknown $jsonSchema keyword: " + name);
        };
    }

    // ---- any value

    private JsonSchema.Rule types(String name, Value value, boolean isOfJson) {
        List<Value> names =
                value instanceof Value.Array(List<Value> several) ? several : List.of(value);
        if (names.isEmpty()) {
            throw MongoCode.FAILED_TO_PARSE.failure(
                    "$jsonSchema keyword '" + name + "' must name at least one type");
        }
        List<Value> aliases = new ArrayList<>();
        for (Value each : names) {
            String alias = text(name, each);
            if (isOfJson && !JSON_TYPES.containsKey(alias)) {
                throw invalid("$jsonSchema type '" + alias + "' is not supported.");
            }
            aliases.add(Value.of(isOfJson ? JSON_TYPES.getOrDefault(alias, alias) : alias));
        }
        return new JsonSchema.Passes(
                operands.test("$type", new Value.Array(aliases), new Value.Obj(Map.of())));
    }

    private JsonSchema.Rule accepted(String name, Value value, long least, long most) {
        List<JsonSchema> schemas =
                elements(name, value).stream().map(each -> schema(name, each)).toList();
        long all = schemas.size();
        return new JsonSchema.Accepted(schemas, Math.min(least, all), Math.min(most, all));
    }

    // ---- numbers and texts

    private static JsonSchema.Rule bound(String name, Value limit, Map<String, Value> all) {
        if (!MongoOrder.isNumber(limit)) {
            throw mismatch(name, "a number");
        }
        boolean isLeast = name.equals("minimum");
        Value exclusive =
                all.getOrDefault(
                        isLeast ? "exclusiveMinimum" : "exclusiveMaximum", Value.of(false));
        boolean isExclusive = exclusive.equals(Value.of(true));
        return new JsonSchema.Bound(
                isLeast
                        ? (isExclusive ? ValueTest.Relation.GT : ValueTest.Relation.GTE)
                        : (isExclusive ? ValueTest.Relation.LT : ValueTest.Relation.LTE),
                limit);
    }

    /** It only says how the bound is meant. */
    private static Optional<JsonSchema.Rule> exclusive(
            String name, String bound, Value value, Map<String, Value> all) {
        truth(name, value);
        if (!all.containsKey(bound)) {
            throw MongoCode.FAILED_TO_PARSE.failure(
                    "$jsonSchema keyword '"
                            + bound
                            + "' must be present if "
                            + name
                            + " is present");
        }
        return Optional.empty();
    }

    private static Optional<JsonSchema.Rule> least(String name, Counted counted, Value value) {
        return Optional.of(new JsonSchema.Count(counted, size(name, value), Long.MAX_VALUE));
    }

    private static Optional<JsonSchema.Rule> most(String name, Counted counted, Value value) {
        return Optional.of(new JsonSchema.Count(counted, 0, size(name, value)));
    }

    private static long size(String name, Value value) {
        OptionalLong size =
                MongoOrder.isNumber(value) ? MongoNumbers.whole(value) : OptionalLong.empty();
        if (size.isEmpty() || size.getAsLong() < 0) {
            throw MongoCode.FAILED_TO_PARSE.failure(
                    "$jsonSchema keyword '" + name + "' must be a non-negative integer");
        }
        return size.getAsLong();
    }

    // ---- documents and arrays

    private static JsonSchema.Rule required(String name, Value value) {
        Set<String> names = new LinkedHashSet<>();
        for (Value each : elements(name, value)) {
            if (!names.add(text(name, each))) {
                throw MongoCode.FAILED_TO_PARSE.failure(
                        "$jsonSchema keyword 'required' array cannot contain duplicate values");
            }
        }
        return new JsonSchema.Required(names);
    }

    private Optional<JsonSchema.Rule> properties(Map<String, Value> keywords) {
        Value additional = keywords.get("additionalProperties");
        if (!keywords.containsKey("properties")
                && !keywords.containsKey("patternProperties")
                && additional == null) {
            return Optional.empty();
        }
        Map<String, JsonSchema> named = new LinkedHashMap<>();
        document("properties", keywords)
                .forEach((name, value) -> named.put(name, schema("properties", value)));
        List<JsonSchema.Properties.Matching> patterns = new ArrayList<>();
        document("patternProperties", keywords)
                .forEach(
                        (pattern, value) ->
                                patterns.add(
                                        new JsonSchema.Properties.Matching(
                                                regex(pattern),
                                                schema("patternProperties", value))));
        JsonSchema others =
                switch (additional) {
                    case null -> JsonSchema.ANYTHING;
                    case Value.Bool(boolean isAllowed) ->
                            isAllowed ? JsonSchema.ANYTHING : JsonSchema.NOTHING;
                    default -> schema("additionalProperties", additional);
                };
        return Optional.of(new JsonSchema.Properties(named, patterns, others));
    }

    private JsonSchema.Rule items(String name, Value value) {
        return value instanceof Value.Array(List<Value> first)
                ? new JsonSchema.Items(
                        first.stream().map(each -> schema(name, each)).toList(),
                        JsonSchema.ANYTHING)
                : new JsonSchema.Items(List.of(), schema(name, value));
    }

    // ---- parts of operands

    private static Map<String, Value> document(String name, Map<String, Value> keywords) {
        return switch (keywords.get(name)) {
            case null -> Map.of();
            case Value.Obj(Map<String, Value> fields) -> fields;
            default -> throw mismatch(name, "an object");
        };
    }

    private static List<Value> elements(String name, Value value) {
        if (!(value instanceof Value.Array(List<Value> elements))) {
            throw mismatch(name, "an array");
        }
        if (elements.isEmpty()) {
            throw MongoCode.FAILED_TO_PARSE.failure(
                    "$jsonSchema keyword '" + name + "' cannot be an empty array");
        }
        return elements;
    }

    private static List<Value> distinct(String name, Value value) {
        List<Value> elements = elements(name, value);
        List<Value> sorted = new ArrayList<>(elements);
        sorted.sort(MongoOrder.SIMPLE);
        for (int i = 1; i < sorted.size(); i++) {
            if (MongoOrder.SIMPLE.equal(sorted.get(i - 1), sorted.get(i))) {
                throw MongoCode.FAILED_TO_PARSE.failure(
                        "$jsonSchema keyword '" + name + "' array cannot contain duplicate values");
            }
        }
        return elements;
    }

    private ValueTest.Regex regex(String pattern) {
        return operands.regex(pattern, "");
    }

    private static String text(String name, Value value) {
        if (value instanceof Value.Text(String text)) {
            return text;
        }
        throw mismatch(name, "a string");
    }

    private static boolean truth(String name, Value value) {
        if (value instanceof Value.Bool(boolean truth)) {
            return truth;
        }
        throw mismatch(name, "a boolean");
    }

    private static OrreryException mismatch(String name, String expected) {
        return MongoCode.TYPE_MISMATCH.failure(
                name.startsWith("$")
                        ? name + " must be " + expected
                        : "$jsonSchema keyword '" + name + "' must be " + expected);
    }

    private static OrreryException invalid(String message) {
        return MongoCode.BAD_VALUE.failure(message);
    }
}
