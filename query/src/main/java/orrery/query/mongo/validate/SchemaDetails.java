package orrery.query.mongo.validate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.Value;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.expression.TypeNames;
import orrery.query.mongo.match.Matcher;

/** Tells which rules of a schema a value does not meet. Used by one thread. */
final class SchemaDetails {
    /** The keywords that are told, in the order in which servers look at them. */
    private static final List<String> KEYWORDS =
            List.of(
                    "maximum",
                    "minimum",
                    "maxLength",
                    "minLength",
                    "pattern",
                    "maxItems",
                    "minItems",
                    "uniqueItems",
                    "items",
                    "properties",
                    "additionalProperties",
                    "patternProperties",
                    "required",
                    "minProperties",
                    "maxProperties",
                    "allOf",
                    "anyOf",
                    "oneOf",
                    "not",
                    "enum",
                    "type",
                    "bsonType");

    /** Keywords that mean something only with another one beside them. */
    private static final Map<String, List<String>> WITH =
            Map.of(
                    "minimum", List.of("exclusiveMinimum"),
                    "maximum", List.of("exclusiveMaximum"),
                    "additionalProperties", List.of("properties", "patternProperties"));

    private final boolean isShort;

    SchemaDetails(boolean isShort) {
        this.isShort = isShort;
    }

    /** A document for each rule that the value does not meet. */
    List<Value> of(Map<String, Value> schema, Value value) {
        List<Value> told = new ArrayList<>();
        for (String keyword : KEYWORDS) {
            if (schema.containsKey(keyword) && !accepts(rule(schema, keyword), value)) {
                details(schema, keyword, value).ifPresent(details -> told.add(details.build()));
            }
        }
        return told;
    }

    /** One keyword of a schema, with those that belong to it. */
    private static Map<String, Value> rule(Map<String, Value> schema, String keyword) {
        Map<String, Value> rule = new LinkedHashMap<>();
        rule.put(keyword, schema.get(keyword));
        for (String other : WITH.getOrDefault(keyword, List.of())) {
            if (schema.containsKey(other)) {
                rule.put(other, schema.get(other));
            }
        }
        return rule;
    }

    private static boolean accepts(Map<String, Value> schema, Value value) {
        Value.Obj filter = new Value.Obj(Map.of("$jsonSchema", new Value.Obj(schema)));
        return Matcher.compile(filter, DocumentRule.CONTEXT).matches(value);
    }

    private static boolean accepts(Value schema, Value value) {
        return accepts(((Value.Obj) schema).properties(), value);
    }

    /** Empty if what is wrong is told of another keyword. */
    private Optional<Details> details(Map<String, Value> schema, String keyword, Value value) {
        Value operand = schema.getOrDefault(keyword, Value.Undefined.UNDEFINED);
        return switch (keyword) {
            case "minimum", "maximum" ->
                    Optional.of(
                            considered(
                                    specified(keyword, rule(schema, keyword))
                                            .reason("comparison failed"),
                                    value));
            case "minLength", "maxLength" ->
                    leaf(keyword, operand, "specified string length was not satisfied", value);
            case "pattern" -> leaf(keyword, operand, "regular expression did not match", value);
            case "enum" -> leaf(keyword, operand, "value was not found in enum", value);
            case "type", "bsonType" ->
                    leaf(keyword, operand, "type did not match", value)
                            .map(told -> told.put("consideredType", typeOf(value)));
            case "minItems", "maxItems" ->
                    leaf(keyword, operand, "array did not match specified length", value)
                            .map(told -> told.put("numberOfItems", size(elements(value))));
            case "uniqueItems" ->
                    leaf(keyword, operand, "found a duplicate item", value)
                            .map(told -> isShort ? told : told.put("duplicatedValue", twin(value)));
            case "items" -> items(operand, value);
            case "properties" -> properties(operand, value);
            case "additionalProperties" -> additional(schema, operand, value);
            case "patternProperties" -> patterns(operand, value);
            case "required" -> Optional.of(required(operand, value));
            case "minProperties", "maxProperties" ->
                    Optional.of(
                            specified(keyword, rule(schema, keyword))
                                    .reason("specified number of properties was not satisfied")
                                    .put("numberOfProperties", Value.of(fields(value).size())));
            case "allOf", "anyOf" -> Optional.of(clauses(keyword, operand, value));
            case "oneOf" -> Optional.of(oneOf(operand, value));
            case "not" -> Optional.of(Details.of("not").reason("child expression matched"));
            default -> throw new IllegalStateException("no keyword: " + keyword);
        };
    }

    private Optional<Details> leaf(String keyword, Value operand, String reason, Value value) {
        return Optional.of(
                considered(specified(keyword, Map.of(keyword, operand)).reason(reason), value));
    }

    private Details specified(String keyword, Map<String, Value> as) {
        Details details = Details.of(keyword);
        return isShort ? details : details.put("specifiedAs", new Value.Obj(as));
    }

    private Details considered(Details details, Value value) {
        return isShort ? details : details.put("consideredValue", value);
    }

    private static Value typeOf(Value value) {
        return Value.of(TypeNames.of(value));
    }

    // ---- arrays

    private static List<Value> elements(Value value) {
        return ((Value.Array) value).elements();
    }

    private static Value size(List<Value> elements) {
        return Value.of(elements.size());
    }

    private static Value twin(Value value) {
        List<Value> sorted = new ArrayList<>(elements(value));
        sorted.sort(MongoOrder.SIMPLE);
        for (int i = 1; i < sorted.size(); i++) {
            if (MongoOrder.SIMPLE.equal(sorted.get(i - 1), sorted.get(i))) {
                return sorted.get(i);
            }
        }
        throw new IllegalStateException("an array has no element twice");
    }

    private Optional<Details> items(Value operand, Value value) {
        List<Value> elements = elements(value);
        if (operand instanceof Value.Array(List<Value> schemas)) {
            List<Value> told = new ArrayList<>();
            for (int i = 0; i < schemas.size() && i < elements.size(); i++) {
                if (!accepts(schemas.get(i), elements.get(i))) {
                    told.add(
                            inner(
                                            new Details().put("itemIndex", Value.of(i)),
                                            schemas.get(i),
                                            elements.get(i))
                                    .build());
                }
            }
            return Optional.of(Details.of("items").put("details", told));
        }
        for (int i = 0; i < elements.size(); i++) {
            if (!accepts(operand, elements.get(i))) {
                return Optional.of(
                        inner(
                                Details.of("items")
                                        .annotated(fields(operand))
                                        .reason("At least one item did not match the sub-schema")
                                        .put("itemIndex", Value.of(i)),
                                operand,
                                elements.get(i)));
            }
        }
        return Optional.empty();
    }

    private Details inner(Details details, Value schema, Value value) {
        return details.put("details", of(fields(schema), value));
    }

    // ---- documents

    private static Map<String, Value> fields(Value value) {
        return ((Value.Obj) value).properties();
    }

    private Optional<Details> properties(Value operand, Value value) {
        List<Value> told = new ArrayList<>();
        fields(operand)
                .forEach(
                        (name, schema) -> {
                            Value property = fields(value).get(name);
                            if (property != null && !accepts(schema, property)) {
                                told.add(
                                        inner(
                                                        new Details()
                                                                .put("propertyName", Value.of(name))
                                                                .annotated(fields(schema)),
                                                        schema,
                                                        property)
                                                .build());
                            }
                        });
        return told.isEmpty()
                ? Optional.empty()
                : Optional.of(Details.of("properties").put("propertiesNotSatisfied", told));
    }

    private Optional<Details> additional(Map<String, Value> schema, Value operand, Value value) {
        List<String> names =
                fields(value).keySet().stream().filter(name -> isOther(schema, name)).toList();
        if (operand instanceof Value.Bool(boolean isAllowed)) {
            return isAllowed || names.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            specified(
                                            "additionalProperties",
                                            Map.of("additionalProperties", operand))
                                    .put(
                                            "additionalProperties",
                                            names.stream().map(Value::of).toList()));
        }
        for (String name : names) {
            Value property = fields(value).getOrDefault(name, Value.Undefined.UNDEFINED);
            if (!accepts(operand, property)) {
                return Optional.of(
                        inner(
                                Details.of("additionalProperties")
                                        .annotated(fields(operand))
                                        .reason(
                                                "at least one additional property did not match"
                                                        + " the subschema")
                                        .put("failingProperty", Value.of(name)),
                                operand,
                                property));
            }
        }
        return Optional.empty();
    }

    private static boolean isOther(Map<String, Value> schema, String name) {
        Value.Obj none = new Value.Obj(Map.of());
        return !fields(schema.getOrDefault("properties", none)).containsKey(name)
                && fields(schema.getOrDefault("patternProperties", none)).keySet().stream()
                        .noneMatch(pattern -> matches(pattern, name));
    }

    private static boolean matches(String pattern, String name) {
        return accepts(Map.of("pattern", Value.of(pattern)), Value.of(name));
    }

    private Optional<Details> patterns(Value operand, Value value) {
        List<Value> told = new ArrayList<>();
        fields(operand)
                .forEach(
                        (pattern, schema) ->
                                fields(value).entrySet().stream()
                                        .filter(
                                                field ->
                                                        matches(pattern, field.getKey())
                                                                && !accepts(
                                                                        schema, field.getValue()))
                                        .findFirst()
                                        .map(
                                                field ->
                                                        inner(
                                                                new Details()
                                                                        .put(
                                                                                "propertyName",
                                                                                Value.of(
                                                                                        field
                                                                                                .getKey()))
                                                                        .annotated(fields(schema))
                                                                        .put(
                                                                                "regexMatched",
                                                                                Value.of(pattern)),
                                                                schema,
                                                                field.getValue()))
                                        .ifPresent(each -> told.add(each.build())));
        return told.isEmpty()
                ? Optional.empty()
                : Optional.of(Details.of("patternProperties").put("details", told));
    }

    private Details required(Value operand, Value value) {
        List<Value> missing =
                elements(operand).stream()
                        .filter(name -> !fields(value).containsKey(((Value.Text) name).value()))
                        .toList();
        return specified("required", Map.of("required", operand)).put("missingProperties", missing);
    }

    // ---- schemas of schemas

    private Details clauses(String keyword, Value operand, Value value) {
        List<Value> told = new ArrayList<>();
        List<Value> schemas = elements(operand);
        for (int i = 0; i < schemas.size(); i++) {
            if (!accepts(schemas.get(i), value)) {
                told.add(
                        inner(
                                        new Details()
                                                .put("index", Value.of(i))
                                                .annotated(fields(schemas.get(i))),
                                        schemas.get(i),
                                        value)
                                .build());
            }
        }
        return Details.of(keyword).put("schemasNotSatisfied", told);
    }

    private Details oneOf(Value operand, Value value) {
        List<Value> schemas = elements(operand);
        List<Value> accepting = new ArrayList<>();
        for (int i = 0; i < schemas.size(); i++) {
            if (accepts(schemas.get(i), value)) {
                accepting.add(Value.of(i));
            }
        }
        return accepting.isEmpty()
                ? clauses("oneOf", operand, value)
                : Details.of("oneOf")
                        .reason("more than one subschema matched")
                        .put("matchingSchemaIndexes", accepting);
    }
}
