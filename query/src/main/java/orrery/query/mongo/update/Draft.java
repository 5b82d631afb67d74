package orrery.query.mongo.update;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import orrery.document.Value;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.expression.ValueText;

/**
 * A document while an update changes it. Only the objects and arrays on the way to a change are
 * copied. Belongs to one thread.
 */
final class Draft {
    /** The server's limit: an index may lie that far behind the end of its array. */
    static final int MAX_PADDING = 1_500_000;

    private final ObjectNode root;
    private boolean hasChanged;

    /** An object or an array that may be changed; values in it are nodes or values. */
    private sealed interface Node {
        Object get(String name);

        Value frozen();
    }

    private record ObjectNode(Map<String, Object> fields) implements Node {
        static ObjectNode of(Value.Obj object) {
            return new ObjectNode(new LinkedHashMap<>(object.properties()));
        }

        @Override
        public Object get(String name) {
            return fields.getOrDefault(name, Value.Undefined.UNDEFINED);
        }

        @Override
        public Value.Obj frozen() {
            Map<String, Value> values = new LinkedHashMap<>();
            fields.forEach((name, value) -> values.put(name, Draft.frozen(value)));
            return new Value.Obj(values);
        }
    }

    private record ArrayNode(List<Object> elements) implements Node {
        @Override
        public Object get(String name) {
            int index = UpdatePath.index(name);
            return index >= 0 && index < elements.size()
                    ? elements.get(index)
                    : Value.Undefined.UNDEFINED;
        }

        @Override
        public Value frozen() {
            return new Value.Array(elements.stream().map(Draft::frozen).toList());
        }
    }

    Draft(Value.Obj document) {
        this.root = ObjectNode.of(document);
    }

    private static Value frozen(Object value) {
        return value instanceof Node node ? node.frozen() : (Value) value;
    }

    /** Returns true if a value is another than before, or another width or order. */
    boolean hasChanged() {
        return hasChanged;
    }

    Value.Obj document() {
        return root.frozen();
    }

    /** Finds the value at a path; undefined if there is none. */
    Value find(List<String> path) {
        return find(root, path);
    }

    /** Finds the value at a path of a document as it is; undefined if there is none. */
    static Value find(Value.Obj document, List<String> path) {
        return find((Object) document, path);
    }

    private static Value find(Object root, List<String> path) {
        Object value = root;
        for (String part : path) {
            value = step(value, part);
        }
        return frozen(value);
    }

    private static Object step(Object value, String part) {
        return switch (value) {
            case Node node -> node.get(part);
            case Value.Obj object ->
                    object.properties().getOrDefault(part, Value.Undefined.UNDEFINED);
            case Value.Array(List<Value> elements) -> {
                int index = UpdatePath.index(part);
                yield index >= 0 && index < elements.size()
                        ? elements.get(index)
                        : Value.Undefined.UNDEFINED;
            }
            default -> Value.Undefined.UNDEFINED;
        };
    }

    /** Refuses a path that goes on where a value has no such parts. */
    void requireViable(UpdatePath path) {
        Object value = root;
        String name = "";
        for (String part : path.parts()) {
            boolean isViable =
                    switch (value) {
                        case ObjectNode _, Value.Obj _, Value.Undefined _ -> true;
                        case ArrayNode _, Value.Array _ -> UpdatePath.index(part) >= 0;
                        default -> false;
                    };
            if (!isViable) {
                throw MongoCode.PATH_NOT_VIABLE.failure(
                        "cannot use the part (%s of %s) to traverse the element ({%s})"
                                .formatted(
                                        part, path.dotted(), ValueText.field(name, frozen(value))));
            }
            value = step(value, part);
            name = part;
        }
    }

    /** Finds the name of the first array on the way to the last part of a path. */
    Optional<String> arrayOnTheWay(List<String> path) {
        Object value = root;
        String name = "";
        for (String part : path) {
            if (value instanceof ArrayNode || value instanceof Value.Array) {
                return Optional.of(name);
            }
            name = part;
            value = step(value, part);
        }
        return Optional.empty();
    }

    /**
     * Changes the value at a path that is there. An undefined result removes a field; an element of
     * an array becomes null.
     */
    void change(List<String> path, UnaryOperator<Value> change) {
        Value present = find(path);
        if (!present.isDefined()) {
            return;
        }
        Value next = change.apply(present);
        if (Identity.isSame(present, next)) {
            return;
        }
        hasChanged = true;
        Node parent = parent(path);
        String last = path.getLast();
        switch (parent) {
            case ObjectNode(Map<String, Object> fields) -> {
                if (next.isDefined()) {
                    fields.put(last, next);
                } else {
                    fields.remove(last);
                }
            }
            case ArrayNode(List<Object> elements) ->
                    elements.set(UpdatePath.index(last), next.isDefined() ? next : Value.Null.NULL);
        }
    }

    /** The parent of a value that is there, made changeable with all on the way to it. */
    private Node parent(List<String> path) {
        Node node = root;
        for (String part : path.subList(0, path.size() - 1)) {
            node = opened(node, part);
        }
        return node;
    }

    private static Node opened(Node parent, String part) {
        Object child = parent.get(part);
        if (child instanceof Node node) {
            return node;
        }
        Node node =
                child instanceof Value.Array(List<Value> elements)
                        ? new ArrayNode(new ArrayList<>(elements))
                        : ObjectNode.of((Value.Obj) child);
        place(parent, part, node);
        return node;
    }

    private static void place(Node parent, String part, Object child) {
        switch (parent) {
            case ObjectNode(Map<String, Object> fields) -> fields.put(part, child);
            case ArrayNode(List<Object> elements) -> {
                int index = UpdatePath.index(part);
                if (index - elements.size() > MAX_PADDING) {
                    throw MongoCode.CANNOT_BACKFILL_ARRAY.failure(
                            "can't backfill more than " + MAX_PADDING + " elements");
                }
                while (elements.size() <= index) {
                    elements.add(Value.Null.NULL);
                }
                elements.set(index, child);
            }
        }
    }

    /**
     * Puts a value where a path leads. Objects that lack on the way are made; an array is filled up
     * with null.
     *
     * @throws orrery.model.OrreryException if a value on the way can hold no fields
     */
    void put(List<String> path, Value value) {
        Value present = find(path);
        if (present.isDefined()) {
            change(path, _ -> value);
            return;
        }
        Node node = root;
        String name = "";
        Iterator<String> parts = path.iterator();
        while (true) {
            String part = parts.next();
            if (node instanceof ArrayNode && UpdatePath.index(part) < 0) {
                throw notViable(part, name, node.frozen());
            }
            if (!parts.hasNext()) {
                place(node, part, value);
                hasChanged = true;
                return;
            }
            Object child = node.get(part);
            switch (child) {
                case Value.Undefined _ -> place(node, part, new ObjectNode(new LinkedHashMap<>()));
                case Node _, Value.Obj _, Value.Array _ -> {}
                default -> throw notViable(parts.next(), part, (Value) child);
            }
            node = opened(node, part);
            name = part;
        }
    }

    private static RuntimeException notViable(String part, String name, Value value) {
        return MongoCode.PATH_NOT_VIABLE.failure(
                "Cannot create field '%s' in element {%s}"
                        .formatted(part, ValueText.field(name, value)));
    }
}
