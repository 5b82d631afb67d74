package orrery.document;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Applies one patch operation, copying only the objects and arrays on the way to its place. */
final class PatchStep {
    private static final String APPEND = "-";

    private PatchStep() {}

    /** A change of the object or array that holds the place. */
    private interface Change {
        Value to(Value holder, String last) throws PatchFault;
    }

    static Value.Obj apply(Value.Obj document, PatchOperation operation, PatchSums sums)
            throws PatchFault {
        return switch (operation) {
            case PatchOperation.Add(JsonPointer path, Value value) -> add(document, path, value);
            case PatchOperation.Set(JsonPointer path, Value value) ->
                    requireDepth(
                            change(document, path, (holder, last) -> set(holder, last, value)));
            case PatchOperation.Replace(JsonPointer path, Value value) ->
                    requireDepth(
                            change(document, path, (holder, last) -> replace(holder, last, value)));
            case PatchOperation.Remove(JsonPointer path) ->
                    change(document, path, PatchStep::remove);
            case PatchOperation.Increment(JsonPointer path, Value amount) ->
                    change(document, path, (holder, last) -> increment(holder, last, amount, sums));
            case PatchOperation.Move(JsonPointer from, JsonPointer path) ->
                    move(document, from, path);
        };
    }

    private static Value.Obj add(Value.Obj document, JsonPointer path, Value value)
            throws PatchFault {
        return requireDepth(change(document, path, (holder, last) -> insert(holder, last, value)));
    }

    private static Value.Obj move(Value.Obj document, JsonPointer from, JsonPointer path)
            throws PatchFault {
        if (path.segments().size() > from.segments().size() && path.startsWith(from.segments())) {
            throw new PatchFault("'" + path + "' lies inside '" + from + "', which is to be moved");
        }
        Value[] moved = new Value[1];
        Value.Obj without =
                change(
                        document,
                        from,
                        (holder, last) -> {
                            moved[0] = find(holder, last).orElseThrow(() -> missing(last));
                            return remove(holder, last);
                        });
        return add(without, path, moved[0]);
    }

    private static Value.Obj change(Value.Obj document, JsonPointer path, Change change)
            throws PatchFault {
        // The holder of a place in an object is that object or something inside it.
        return (Value.Obj) change(document, path.segments(), 0, change);
    }

    private static Value change(Value holder, List<String> path, int at, Change change)
            throws PatchFault {
        String segment = path.get(at);
        if (at == path.size() - 1) {
            return change.to(holder, segment);
        }
        Value inner = find(holder, segment).orElseThrow(() -> missing(segment));
        return replace(holder, segment, change(inner, path, at + 1, change));
    }

    private static Optional<Value> find(Value holder, String segment) throws PatchFault {
        return switch (holder) {
            case Value.Obj(Map<String, Value> properties) ->
                    Optional.ofNullable(properties.get(segment));
            case Value.Array(List<Value> elements) -> {
                int index = index(segment, elements.size());
                yield index < elements.size() ? Optional.of(elements.get(index)) : Optional.empty();
            }
            case Value.Undefined _,
                    Value.Null _,
                    Value.Bool _,
                    Value.Int _,
                    Value.Real _,
                    Value.Text _,
                    BsonValue _ ->
                    throw noHolder(segment);
        };
    }

    private static Value insert(Value holder, String last, Value value) throws PatchFault {
        if (holder instanceof Value.Array(List<Value> elements)) {
            List<Value> longer = new ArrayList<>(elements);
            longer.add(index(last, elements.size()), value);
            return new Value.Array(longer);
        }
        return set(holder, last, value);
    }

    private static Value set(Value holder, String last, Value value) throws PatchFault {
        return switch (holder) {
            case Value.Obj(Map<String, Value> properties) -> {
                Map<String, Value> changed = new LinkedHashMap<>(properties);
                changed.put(last, value);
                yield new Value.Obj(changed);
            }
            case Value.Array(List<Value> elements) -> {
                List<Value> changed = new ArrayList<>(elements);
                int index = index(last, elements.size());
                if (index == elements.size()) {
                    changed.add(value);
                } else {
                    changed.set(index, value);
                }
                yield new Value.Array(changed);
            }
            case Value.Undefined _,
                    Value.Null _,
                    Value.Bool _,
                    Value.Int _,
                    Value.Real _,
                    Value.Text _,
                    BsonValue _ ->
                    throw noHolder(last);
        };
    }

    private static Value replace(Value holder, String last, Value value) throws PatchFault {
        if (find(holder, last).isEmpty()) {
            throw missing(last);
        }
        return set(holder, last, value);
    }

    private static Value remove(Value holder, String last) throws PatchFault {
        if (find(holder, last).isEmpty()) {
            throw missing(last);
        }
        return switch (holder) {
            case Value.Obj(Map<String, Value> properties) -> {
                Map<String, Value> changed = new LinkedHashMap<>(properties);
                changed.remove(last);
                yield new Value.Obj(changed);
            }
            case Value.Array(List<Value> elements) -> {
                List<Value> changed = new ArrayList<>(elements);
                changed.remove(index(last, elements.size()));
                yield new Value.Array(changed);
            }
            case Value.Undefined _,
                    Value.Null _,
                    Value.Bool _,
                    Value.Int _,
                    Value.Real _,
                    Value.Text _,
                    BsonValue _ ->
                    throw noHolder(last);
        };
    }

    private static Value increment(Value holder, String last, Value amount, PatchSums sums)
            throws PatchFault {
        Optional<Value> present = find(holder, last);
        return set(
                holder, last, present.isEmpty() ? amount : sums.add(present.get(), amount, last));
    }

    /** A position, or the size for the place behind the last element; beyond that a fault. */
    private static int index(String segment, int size) throws PatchFault {
        if (segment.equals(APPEND)) {
            return size;
        }
        boolean isNumber =
                !segment.isEmpty()
                        && segment.length() < 10
                        && segment.chars().allMatch(c -> c >= '0' && c <= '9')
                        && (segment.length() == 1 || segment.charAt(0) != '0');
        if (!isNumber) {
            throw new PatchFault("'" + segment + "' is no index of an array");
        }
        int index = Integer.parseInt(segment);
        if (index > size) {
            throw new PatchFault(
                    "index %d lies outside the array of %d elements".formatted(index, size));
        }
        return index;
    }

    /** Refuses what has become deeper than an item may be. */
    private static Value.Obj requireDepth(Value.Obj document) throws PatchFault {
        if (depth(document) > JsonText.MAX_DEPTH) {
            throw new PatchFault(
                    "the item would be nested deeper than " + JsonText.MAX_DEPTH + " levels");
        }
        return document;
    }

    private static int depth(Value value) {
        int deepest = 0;
        switch (value) {
            case Value.Obj(Map<String, Value> properties) -> {
                for (Value inner : properties.values()) {
                    deepest = Math.max(deepest, depth(inner));
                }
            }
            case Value.Array(List<Value> elements) -> {
                for (Value inner : elements) {
                    deepest = Math.max(deepest, depth(inner));
                }
            }
            case Value.Undefined _,
                    Value.Null _,
                    Value.Bool _,
                    Value.Int _,
                    Value.Real _,
                    Value.Text _,
                    BsonValue _ -> {
                return 0;
            }
        }
        return deepest + 1;
    }

    private static PatchFault missing(String segment) {
        return new PatchFault("no path found beyond: '" + segment + "'");
    }

    private static PatchFault noHolder(String segment) {
        return new PatchFault("'" + segment + "' is looked for in what is no object or array");
    }
}
