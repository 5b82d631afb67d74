package orrery.query.mongo.expression;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import orrery.document.Value;
import orrery.query.mongo.FieldPath;
import orrery.query.mongo.MongoCode;

/** The fields that a stage names, as a tree of their paths, with what becomes of each. */
final class FieldTree {
    private final Inner root = new Inner(new LinkedHashMap<>());

    /** What becomes of a field. */
    sealed interface Node {}

    /** Fields below it are named. */
    record Inner(Map<String, Node> children) implements Node {}

    record Computed(Expression expression) implements Node {}

    /** The field stays, or goes. */
    record Kept(boolean isKept) implements Node {}

    Inner root() {
        return root;
    }

    /** Puts a node at a path; throws if another is there or on the way. */
    void put(String dotted, Node node) {
        List<String> parts = FieldPath.ofField(dotted).parts();
        Inner inner = root;
        for (int i = 0; i < parts.size(); i++) {
            String part = parts.get(i);
            boolean isLast = i == parts.size() - 1;
            Node present = inner.children().get(part);
            if (isLast) {
                if (present != null) {
                    throw MongoCode.failure(31250, "Path collision at " + dotted);
                }
                inner.children().put(part, node);
            } else if (present == null) {
                Inner next = new Inner(new LinkedHashMap<>());
                inner.children().put(part, next);
                inner = next;
            } else if (present instanceof Inner next) {
                inner = next;
            } else {
                throw MongoCode.failure(
                        31249,
                        "Path collision at %s remaining portion %s"
                                .formatted(
                                        dotted,
                                        String.join(".", parts.subList(i + 1, parts.size()))));
            }
        }
    }

    /** Puts what is computed into a document; what comes to nothing is taken out. */
    static Value.Obj computed(Inner inner, Value.Obj document, Variables variables) {
        Map<String, Value> fields = new LinkedHashMap<>(document.properties());
        inner.children()
                .forEach(
                        (name, node) -> {
                            Value present = fields.getOrDefault(name, Value.Undefined.UNDEFINED);
                            Value next = computed(node, present, variables);
                            if (next.isDefined()) {
                                fields.put(name, next);
                            } else {
                                fields.remove(name);
                            }
                        });
        return new Value.Obj(fields);
    }

    private static Value computed(Node node, Value present, Variables variables) {
        return switch (node) {
            case Computed(Expression expression) -> expression.evaluate(variables);
            case Kept _ -> present;
            case Inner inner when !hasComputed(inner) -> present;
            case Inner inner ->
                    switch (present) {
                        case Value.Obj object -> computed(inner, object, variables);
                        case Value.Array(List<Value> elements) -> {
                            List<Value> made = new ArrayList<>();
                            for (Value element : elements) {
                                made.add(computed(inner, element, variables));
                            }
                            yield new Value.Array(made);
                        }
                        default -> computed(inner, new Value.Obj(Map.of()), variables);
                    };
        };
    }

    private static boolean hasComputed(Inner inner) {
        return inner.children().values().stream()
                .anyMatch(
                        child ->
                                child instanceof Computed
                                        || (child instanceof Inner below && hasComputed(below)));
    }

    /**
     * Leaves the fields that stay.
     *
     * @param isInclusion whether fields that are not named go
     */
    static Value.Obj kept(Inner inner, Value.Obj document, boolean isInclusion) {
        Map<String, Value> fields = new LinkedHashMap<>();
        document.properties()
                .forEach(
                        (name, value) -> {
                            Node node = inner.children().get(name);
                            if (node == null) {
                                if (!isInclusion) {
                                    fields.put(name, value);
                                }
                                return;
                            }
                            Value left = kept(node, value, isInclusion);
                            if (left.isDefined()) {
                                fields.put(name, left);
                            }
                        });
        return new Value.Obj(fields);
    }

    private static Value kept(Node node, Value value, boolean isInclusion) {
        return switch (node) {
            case Computed _ -> Value.Undefined.UNDEFINED;
            case Kept(boolean isKept) -> isKept ? value : Value.Undefined.UNDEFINED;
            case Inner inner ->
                    switch (value) {
                        case Value.Obj object -> kept(inner, object, isInclusion);
                        case Value.Array(List<Value> elements) ->
                                new Value.Array(
                                        elements.stream()
                                                .map(each -> kept(inner, each, isInclusion))
                                                .filter(Value::isDefined)
                                                .toList());
                        default -> isInclusion ? Value.Undefined.UNDEFINED : value;
                    };
        };
    }
}
