package orrery.query.mongo.update;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import orrery.document.Value;

/**
 * The difference between two versions of a document, as change streams tell it: the fields that
 * have another value, those that are gone, and arrays that have become shorter. Paths have dots, so
 * a document that has a name with a dot, an empty one or a number among its fields is told as a
 * whole: its paths would mean something else to whoever follows them.
 *
 * @param updated values by their paths
 * @param truncated the new sizes of arrays by their paths
 */
public record UpdateDelta(
        Map<String, Value> updated, List<String> removed, Map<String, Integer> truncated) {
    /** Returns the difference. The order of fields counts: one that was moved is told anew. */
    public static UpdateDelta of(Value.Obj before, Value.Obj after) {
        UpdateDelta delta =
                new UpdateDelta(new LinkedHashMap<>(), new ArrayList<>(), new LinkedHashMap<>());
        delta.compare("", before, after);
        return delta;
    }

    private void compare(String prefix, Value.Obj before, Value.Obj after) {
        List<Map.Entry<String, Value>> old = List.copyOf(before.properties().entrySet());
        Map<String, Integer> places = new HashMap<>();
        old.forEach(field -> places.put(field.getKey(), places.size()));
        int reached = 0;
        for (Map.Entry<String, Value> field : after.properties().entrySet()) {
            String name = field.getKey();
            int place = places.getOrDefault(name, -1);
            if (place >= reached) {
                // Those that were passed have gone, or come later and are told then.
                reached = place + 1;
                compare(prefix + name, old.get(place).getValue(), field.getValue());
            } else {
                updated.put(prefix + name, field.getValue());
            }
        }
        for (Map.Entry<String, Value> field : old) {
            if (!after.properties().containsKey(field.getKey())) {
                removed.add(prefix + field.getKey());
            }
        }
    }

    private void compare(String path, Value before, Value after) {
        if (isSame(before, after)) {
            return;
        }
        if (before instanceof Value.Obj old
                && after instanceof Value.Obj next
                && hasPaths(old)
                && hasPaths(next)) {
            compare(path + ".", old, next);
        } else if (before instanceof Value.Array(List<Value> old)
                && after instanceof Value.Array(List<Value> next)) {
            compareElements(path, old, next);
        } else {
            updated.put(path, after);
        }
    }

    private void compareElements(String path, List<Value> before, List<Value> after) {
        for (int i = 0; i < Math.min(before.size(), after.size()); i++) {
            compare(path + "." + i, before.get(i), after.get(i));
        }
        for (int i = before.size(); i < after.size(); i++) {
            updated.put(path + "." + i, after.get(i));
        }
        if (after.size() < before.size()) {
            truncated.put(path, after.size());
        }
    }

    private static boolean hasPaths(Value.Obj document) {
        return document.properties().keySet().stream()
                .noneMatch(
                        name ->
                                name.isEmpty()
                                        || name.indexOf('.') >= 0
                                        || name.startsWith("$")
                                        || name.chars().allMatch(c -> c >= '0' && c <= '9'));
    }

    /** Other than for a filter, types and the order of fields count. */
    private static boolean isSame(Value one, Value other) {
        if (one instanceof Value.Obj(Map<String, Value> left)
                && other instanceof Value.Obj(Map<String, Value> right)) {
            return List.copyOf(left.keySet()).equals(List.copyOf(right.keySet()))
                    && areSame(List.copyOf(left.values()), List.copyOf(right.values()));
        }
        if (one instanceof Value.Array(List<Value> left)
                && other instanceof Value.Array(List<Value> right)) {
            return areSame(left, right);
        }
        return one.equals(other);
    }

    private static boolean areSame(List<Value> left, List<Value> right) {
        if (left.size() != right.size()) {
            return false;
        }
        for (int i = 0; i < left.size(); i++) {
            if (!isSame(left.get(i), right.get(i))) {
                return false;
            }
        }
        return true;
    }
}
