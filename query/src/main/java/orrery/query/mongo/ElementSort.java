package orrery.query.mongo;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import orrery.document.Value;

/** The order in which {@code $push} and {@code $sortArray} put elements. */
public final class ElementSort {
    private ElementSort() {}

    private record Key(List<String> path, int direction) {}

    /**
     * @param pattern 1 or -1 for elements themselves, or fields with directions
     */
    public static Comparator<Value> of(Value pattern, MongoOrder order) {
        if (MongoOrder.isNumber(pattern)) {
            int direction = direction(pattern);
            return (left, right) -> direction * order.compare(left, right);
        }
        if (!(pattern instanceof Value.Obj(Map<String, Value> fields))) {
            throw MongoCode.BAD_VALUE.failure(
                    "The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to"
                            + " sort embedded fields");
        }
        if (fields.isEmpty()) {
            throw MongoCode.BAD_VALUE.failure(
                    "The $sort pattern is empty when it should be a set of fields.");
        }
        List<Key> keys = new ArrayList<>();
        fields.forEach(
                (name, value) -> {
                    List<String> path = List.of(name.split("\\.", -1));
                    if (path.contains("")) {
                        throw MongoCode.BAD_VALUE.failure(
                                "The $sort field is a dotted field but has an empty part: " + name);
                    }
                    keys.add(new Key(path, direction(value)));
                });
        return (left, right) -> compare(keys, left, right, order);
    }

    private static int direction(Value value) {
        long direction = MongoNumbers.whole(value).orElse(0);
        if (Math.abs(direction) == 1) {
            return (int) direction;
        }
        throw MongoCode.BAD_VALUE.failure("The $sort element value must be either 1 or -1");
    }

    private static int compare(List<Key> keys, Value left, Value right, MongoOrder order) {
        for (Key key : keys) {
            int difference =
                    order.compare(sortValue(left, key, 0, order), sortValue(right, key, 0, order));
            if (difference != 0) {
                return key.direction() * difference;
            }
        }
        return 0;
    }

    /** Of an array, the value that comes first in the direction; absent values count as null. */
    private static Value sortValue(Value value, Key key, int at, MongoOrder order) {
        if (value instanceof Value.Array(List<Value> elements)
                && (at > 0 || at < key.path().size())) {
            return elements.stream()
                    .map(
                            element ->
                                    at == key.path().size()
                                            ? element
                                            : sortValue(element, key, at, order))
                    .min((left, right) -> key.direction() * order.compare(left, right))
                    .orElse(Value.Undefined.UNDEFINED);
        }
        if (at == key.path().size()) {
            return value.isDefined() ? value : Value.Null.NULL;
        }
        Value inner =
                value instanceof Value.Obj(Map<String, Value> fields)
                        ? fields.getOrDefault(key.path().get(at), Value.Undefined.UNDEFINED)
                        : Value.Undefined.UNDEFINED;
        return sortValue(inner, key, at + 1, order);
    }
}
