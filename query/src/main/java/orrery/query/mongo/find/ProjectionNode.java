package orrery.query.mongo.find;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import orrery.document.Value;
import orrery.query.mongo.match.Matcher;

/** A field that a projection names, or one on the way to such fields. */
final class ProjectionNode {
    private final Action action;
    private final Map<String, ProjectionNode> children = new LinkedHashMap<>();

    /** What is done with a field. */
    sealed interface Action {}

    /** Fields below it are named. */
    record Inner() implements Action {}

    record Include() implements Action {}

    record Exclude() implements Action {}

    /**
     * Takes a part of an array.
     *
     * @param skip counted from the end if negative
     * @param limit at most so many; negative without a skip: so many of the last
     */
    record Slice(OptionalInt skip, int limit) implements Action {
        Value of(Value value) {
            if (!(value instanceof Value.Array(List<Value> elements))) {
                return value;
            }
            int size = elements.size();
            int from;
            int count;
            if (skip.isPresent()) {
                from =
                        skip.getAsInt() < 0
                                ? Math.max(0, size + skip.getAsInt())
                                : Math.min(size, skip.getAsInt());
                count = limit;
            } else if (limit < 0) {
                from = (int) Math.max(0L, size + (long) limit);
                count = size - from;
            } else {
                from = 0;
                count = limit;
            }
            int to = (int) Math.min(size, from + (long) count);
            return new Value.Array(elements.subList(from, to));
        }
    }

    /** Takes the first element that meets a condition. */
    record ElemMatch(Matcher.ElementFinder finder) implements Action {
        Optional<Value> of(Value value) {
            if (!(value instanceof Value.Array array)) {
                return Optional.empty();
            }
            OptionalInt found = finder.find(array);
            return found.isPresent()
                    ? Optional.of(new Value.Array(List.of(array.elements().get(found.getAsInt()))))
                    : Optional.empty();
        }
    }

    /** Takes the element that made the document match. */
    record Positional() implements Action {}

    record Computed(Function<Value, Value> expression) implements Action {}

    ProjectionNode(Action action) {
        this.action = action;
    }

    Action action() {
        return action;
    }

    @Nullable ProjectionNode child(String name) {
        return children.get(name);
    }

    void put(String name, ProjectionNode child) {
        children.put(name, child);
    }

    Map<String, ProjectionNode> children() {
        return Collections.unmodifiableMap(children);
    }

    Set<String> names() {
        return Collections.unmodifiableSet(children.keySet());
    }

    boolean isPositional() {
        return action instanceof Positional
                || children.values().stream().anyMatch(ProjectionNode::isPositional);
    }

    /** Returns true if an expression is computed here or below. */
    boolean isComputed() {
        return action instanceof Computed
                || children.values().stream().anyMatch(ProjectionNode::isComputed);
    }
}
