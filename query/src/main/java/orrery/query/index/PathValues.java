package orrery.query.index;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import orrery.document.IndexPath;
import orrery.document.Value;
import orrery.query.dialect.Effort;
import orrery.query.evaluate.ComputedProperties;

/**
 * The values of an item at index paths, those that have entries there.
 *
 * @param item the properties that the paths begin with at least, or what they are computed from
 * @param effort counts what it takes to test them
 */
public record PathValues(Value item, ComputedProperties computed, Effort effort) {
    /** The values of an item for which nothing is counted. */
    public PathValues(Value item, ComputedProperties computed) {
        this(item, computed, new Effort());
    }

    public void forEach(IndexPath path, Consumer<Value> found) {
        List<IndexPath.Step> steps = path.steps();
        if (item instanceof Value.Obj object
                && !computed.isEmpty()
                && !steps.isEmpty()
                && steps.getFirst() instanceof IndexPath.Step.Property(String name)) {
            Value first = computed.property(object, name);
            if (first.isDefined()) {
                walk(first, steps, 1, found);
            }
        } else {
            walk(item, steps, 0, found);
        }
    }

    public boolean has(IndexPath path) {
        boolean[] has = new boolean[1];
        forEach(path, _ -> has[0] = true);
        return has[0];
    }

    /** The value at a path of properties; undefined if there is none. */
    public Value find(IndexPath path) {
        Value[] found = {Value.Undefined.UNDEFINED};
        forEach(path, value -> found[0] = value);
        return found[0];
    }

    private static void walk(
            Value value, List<IndexPath.Step> steps, int depth, Consumer<Value> found) {
        if (depth == steps.size()) {
            found.accept(value);
            return;
        }
        switch (steps.get(depth)) {
            case IndexPath.Step.Property(String name) -> {
                if (value instanceof Value.Obj(Map<String, Value> properties)) {
                    Value child = properties.get(name);
                    if (child != null) {
                        walk(child, steps, depth + 1, found);
                    }
                }
            }
            case IndexPath.Step.Element _ -> {
                if (value instanceof Value.Array(List<Value> elements)) {
                    for (Value element : elements) {
                        walk(element, steps, depth + 1, found);
                    }
                }
            }
        }
    }
}
