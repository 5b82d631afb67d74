package orrery.frontend.mongo.command;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import orrery.document.Value;

/** The indexes that clients know, for what the engine says of paths. */
final class PlanIndexes {
    private PlanIndexes() {}

    /**
     * Returns the index under which clients know a walk over these fields; the best one of several.
     *
     * @param indexes as clients see them
     */
    static Optional<Value.Obj> find(List<Value.Obj> indexes, List<String> paths) {
        return first(indexes, fields -> fields.equals(paths))
                .or(() -> first(indexes, fields -> fields.size() == 1 && covers(fields, paths)))
                .or(() -> first(indexes, fields -> fields.containsAll(paths)));
    }

    static String name(Value.Obj index) {
        return index.properties().get("name") instanceof Value.Text(String name) ? name : "";
    }

    private static Optional<Value.Obj> first(
            List<Value.Obj> indexes, Predicate<List<String>> condition) {
        return indexes.stream().filter(index -> condition.test(fields(index))).findFirst();
    }

    private static List<String> fields(Value.Obj index) {
        return index.properties().get("key") instanceof Value.Obj(Map<String, Value> key)
                ? List.copyOf(key.keySet())
                : List.of();
    }

    private static boolean covers(List<String> wildcard, List<String> paths) {
        String field = wildcard.getFirst();
        return field.endsWith("$**")
                && paths.stream()
                        .allMatch(path -> path.startsWith(field.substring(0, field.length() - 3)));
    }
}
