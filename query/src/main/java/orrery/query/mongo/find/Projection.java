package orrery.query.mongo.find;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import orrery.document.Value;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.match.MatchContext;

/** The fields of documents that a read returns. Immutable and safe to share. */
final class Projection {
    static final String ID = "_id";

    private static final int NO_ELEMENT = 51246;

    private final ProjectionNode root;
    private final boolean isInclusion;
    private final boolean hasId;

    /**
     * @param isInclusion whether only the named fields are returned
     * @param hasId whether the id is returned where the tree does not name it
     */
    Projection(ProjectionNode root, boolean isInclusion, boolean hasId) {
        this.root = root;
        this.isInclusion = isInclusion;
        this.hasId = hasId;
    }

    /** Returns empty if documents are returned as they are. */
    static Optional<Projection> of(Value.Obj projection, MatchContext context) {
        return projection.properties().isEmpty()
                ? Optional.empty()
                : Optional.of(new ProjectionParser(context).parse(projection));
    }

    /** Returns true if the element is asked for that made a document match. */
    boolean isPositional() {
        return root.isPositional();
    }

    /**
     * Returns the names of the top-level properties that it looks at; empty where it may be any.
     */
    Optional<Set<String>> names() {
        return isInclusion && !root.isComputed() ? Optional.of(root.names()) : Optional.empty();
    }

    /**
     * @param matched the element that made the document match
     */
    Value.Obj of(Value.Obj document, Supplier<OptionalInt> matched) {
        Application application = new Application(document, matched);
        Map<String, Value> result =
                isInclusion
                        ? application.included(document.properties(), root, true)
                        : application.excluded(document.properties(), root);
        application.compute(root, result);
        return new Value.Obj(result);
    }

    /** One document on its way. */
    private final class Application {
        private final Value.Obj document;
        private final Supplier<OptionalInt> matched;

        Application(Value.Obj document, Supplier<OptionalInt> matched) {
            this.document = document;
            this.matched = matched;
        }

        private Map<String, Value> included(
                Map<String, Value> properties, ProjectionNode node, boolean isRoot) {
            Map<String, Value> result = new LinkedHashMap<>();
            properties.forEach(
                    (name, value) -> {
                        ProjectionNode child = node.child(name);
                        if (child != null) {
                            included(value, child).ifPresent(kept -> result.put(name, kept));
                        } else if (isRoot && hasId && name.equals(ID)) {
                            result.put(name, value);
                        }
                    });
            return result;
        }

        private Optional<Value> included(Value value, ProjectionNode node) {
            return switch (node.action()) {
                case ProjectionNode.Inner() ->
                        switch (value) {
                            case Value.Obj(Map<String, Value> properties) ->
                                    Optional.of(new Value.Obj(included(properties, node, false)));
                            case Value.Array(List<Value> elements) ->
                                    Optional.of(
                                            new Value.Array(
                                                    elements.stream()
                                                            .flatMap(
                                                                    element ->
                                                                            nested(element, node)
                                                                                    .stream())
                                                            .toList()));
                            default -> Optional.empty();
                        };
                case ProjectionNode.Include() -> Optional.of(value);
                case ProjectionNode.Exclude(),
                        ProjectionNode.ElemMatch _,
                        ProjectionNode.Computed _ ->
                        Optional.empty();
                case ProjectionNode.Slice slice -> Optional.of(slice.of(value));
                case ProjectionNode.Positional() -> Optional.of(positional(value));
            };
        }

        /** Elements that are neither documents nor arrays have no fields to include. */
        private Optional<Value> nested(Value element, ProjectionNode node) {
            return element instanceof Value.Obj || element instanceof Value.Array
                    ? included(element, node)
                    : Optional.empty();
        }

        private Map<String, Value> excluded(Map<String, Value> properties, ProjectionNode node) {
            Map<String, Value> result = new LinkedHashMap<>();
            properties.forEach(
                    (name, value) -> {
                        ProjectionNode child = node.child(name);
                        if (child == null) {
                            result.put(name, value);
                        } else {
                            excluded(value, child).ifPresent(kept -> result.put(name, kept));
                        }
                    });
            return result;
        }

        private Optional<Value> excluded(Value value, ProjectionNode node) {
            return switch (node.action()) {
                case ProjectionNode.Inner() ->
                        Optional.of(
                                switch (value) {
                                    case Value.Obj(Map<String, Value> properties) ->
                                            new Value.Obj(excluded(properties, node));
                                    case Value.Array(List<Value> elements) ->
                                            new Value.Array(
                                                    elements.stream()
                                                            .flatMap(
                                                                    element ->
                                                                            excluded(element, node)
                                                                                    .stream())
                                                            .toList());
                                    default -> value;
                                });
                case ProjectionNode.Include() -> Optional.of(value);
                case ProjectionNode.Exclude() -> Optional.empty();
                case ProjectionNode.Slice slice -> Optional.of(slice.of(value));
                case ProjectionNode.ElemMatch _,
                        ProjectionNode.Computed _,
                        ProjectionNode.Positional() ->
                        throw new IllegalStateException("only fields that are included have it");
            };
        }

        private Value positional(Value value) {
            if (!(value instanceof Value.Array(List<Value> elements))) {
                return value;
            }
            OptionalInt index = matched.get();
            if (index.isEmpty() || index.getAsInt() >= elements.size()) {
                throw MongoCode.failure(
                        NO_ELEMENT,
                        "Executor error during find command :: caused by :: positional operator"
                                + " '.$' couldn't find a matching element in the array");
            }
            return new Value.Array(List.of(elements.get(index.getAsInt())));
        }

        /** Puts what is not simply there behind what is. */
        private void compute(ProjectionNode node, Map<String, Value> result) {
            node.children()
                    .forEach(
                            (name, child) -> {
                                switch (child.action()) {
                                    case ProjectionNode.ElemMatch elemMatch ->
                                            elemMatch
                                                    .of(
                                                            document.properties()
                                                                    .getOrDefault(
                                                                            name,
                                                                            Value.Undefined
                                                                                    .UNDEFINED))
                                                    .ifPresent(found -> result.put(name, found));
                                    case ProjectionNode.Computed computed ->
                                            put(
                                                    name,
                                                    computed.expression().apply(document),
                                                    result);
                                    case ProjectionNode.Inner() when child.isComputed() ->
                                            result.put(name, computed(result.get(name), child));
                                    default -> {}
                                }
                            });
        }

        private static void put(String name, Value value, Map<String, Value> result) {
            if (value.isDefined()) {
                result.put(name, value);
            }
        }

        /** Puts computed fields into a document, or into each of an array. */
        private Value computed(@Nullable Value value, ProjectionNode node) {
            if (value instanceof Value.Array(List<Value> elements)) {
                List<Value> made = new ArrayList<>();
                elements.forEach(element -> made.add(computed(element, node)));
                return new Value.Array(made);
            }
            Map<String, Value> inner =
                    value instanceof Value.Obj(Map<String, Value> properties)
                            ? new LinkedHashMap<>(properties)
                            : new LinkedHashMap<>();
            compute(node, inner);
            return new Value.Obj(inner);
        }
    }
}
