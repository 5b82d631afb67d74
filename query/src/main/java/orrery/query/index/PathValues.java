package orrery.query.index;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import orrery.document.IndexPath;
import orrery.document.Value;

/** The values of an item at an index path, those that have entries there. */
public final class PathValues {
    private PathValues() {}

    static void forEach(Value item, IndexPath path, Consumer<Value> found) {
        walk(item, path.steps(), 0, found);
    }

    public static boolean has(Value item, IndexPath path) {
        boolean[] has = new boolean[1];
        forEach(item, path, _ -> has[0] = true);
        return has[0];
    }

    /** The value at a path of properties; undefined if there is none. */
    public static Value find(Value item, IndexPath path) {
        Value[] found = {Value.Undefined.UNDEFINED};
        forEach(item, path, value -> found[0] = value);
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
