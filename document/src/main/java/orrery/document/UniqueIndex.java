package orrery.document;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;
import orrery.model.DerivedRow;
import orrery.model.Encoding;
import orrery.model.NamedIndex;
import orrery.model.codec.BinaryWriter;

/**
 * A unique index with a name, ready to tell which keys an item has in it. A key has one value for
 * each field. Where an array stands on the way, each element makes a key of its own, as in MongoDB;
 * equal keys of one item are one. Immutable.
 */
public final class UniqueIndex {
    private final NamedIndex index;
    private final List<List<String>> paths;

    private UniqueIndex(NamedIndex index) {
        this.index = index;
        this.paths = index.key().stream().map(NamedIndex.Field::segments).toList();
    }

    /**
     * @param digest what is stored; it also names the index, so that two of them never meet
     */
    public record Key(List<Value> values, Bytes digest) {
        public Key {
            values = List.copyOf(values);
        }
    }

    /** The unique ones among the indexes of a container. */
    public static List<UniqueIndex> among(List<NamedIndex> indexes) {
        return indexes.stream().filter(NamedIndex::unique).map(UniqueIndex::new).toList();
    }

    public String name() {
        return index.name();
    }

    /** The filter that tells for which items the index is, where it is not for all. */
    public Optional<Bytes> filter() {
        return index.filter();
    }

    /**
     * Returns true if the index is for an item.
     *
     * @param derived from the item; it has a row for each filter that the item matches
     */
    public boolean isFor(List<DerivedRow> derived) {
        return filter().isEmpty()
                || derived.stream()
                        .anyMatch(
                                row ->
                                        row.kind() == DerivedRow.MATCHED
                                                && row.name().equals(name()));
    }

    /**
     * @param item with the properties that the paths begin with
     */
    public List<Key> keys(Value.Obj item) {
        return List.copyOf(new Expansion(item).keys.values());
    }

    /**
     * Returns true if two fields lead to different arrays, so that there is no one list of keys.
     */
    public boolean hasParallelArrays(Value.Obj item) {
        return paths.size() > 1 && new Expansion(item).isParallel;
    }

    /** Reads what the unique indexes need of an item. */
    public static Value.Obj read(List<UniqueIndex> indexes, Encoding encoding, Bytes body) {
        Set<String> tops = new HashSet<>();
        indexes.forEach(each -> each.paths.forEach(path -> tops.add(path.getFirst())));
        return new Value.Obj(BodyFormat.of(encoding).properties(body, tops::contains, tops.size()));
    }

    /** The key as a document of the fields, as clients are told it. */
    public Value.Obj document(Key key) {
        Map<String, Value> fields = new LinkedHashMap<>();
        for (int i = 0; i < paths.size(); i++) {
            Value value = key.values().get(i);
            fields.put(index.key().get(i).path(), value.isDefined() ? value : Value.Null.NULL);
        }
        return new Value.Obj(fields);
    }

    /** A value on the way to that of a field; the way is over where no names are left. */
    private record Place(Value value, List<String> path, int depth) {
        boolean isEnd() {
            return depth == path.size();
        }

        private Place at(Value next, int nextDepth) {
            return new Place(next, path, nextDepth);
        }

        Place missing() {
            return at(Value.Undefined.UNDEFINED, path.size());
        }

        /** Goes on until an array is reached that has to be expanded, or the end. */
        Place walked() {
            Place place = this;
            while (!place.isEnd()) {
                String name = path.get(place.depth);
                switch (place.value) {
                    case Value.Obj(Map<String, Value> properties) ->
                            place =
                                    place.at(
                                            properties.getOrDefault(
                                                    name, Value.Undefined.UNDEFINED),
                                            place.depth + 1);
                    case Value.Array(List<Value> elements) -> {
                        OptionalInt position = position(name, elements.size());
                        if (position.isEmpty()) {
                            return place;
                        }
                        place = place.at(elements.get(position.getAsInt()), place.depth + 1);
                    }
                    default -> {
                        return missing();
                    }
                }
            }
            return place;
        }

        private static OptionalInt position(String name, int size) {
            boolean isNumber =
                    !name.isEmpty()
                            && name.length() < 10
                            && name.chars().allMatch(c -> c >= '0' && c <= '9');
            int position = isNumber ? Integer.parseInt(name) : size;
            return position < size ? OptionalInt.of(position) : OptionalInt.empty();
        }

        /** The place in an element of the array that was reached. */
        Place into(Value element) {
            if (isEnd()) {
                return at(element, path.size() + 1);
            }
            return element instanceof Value.Obj ? at(element, depth) : missing().asFinal();
        }

        /** The place of no element. Each field of it is missing. */
        Place intoNothing() {
            return isEnd() ? at(BsonValue.Undef.UNDEF, path.size() + 1) : missing().asFinal();
        }

        private Place asFinal() {
            return at(value, path.size() + 1);
        }

        /** An element at the end of its path is a value, even if it is an array itself. */
        boolean isFinal() {
            return depth > path.size();
        }
    }

    /** Collects the keys of one item. */
    private final class Expansion {
        private final Map<Bytes, Key> keys = new LinkedHashMap<>();
        private boolean isParallel;

        Expansion(Value.Obj item) {
            expand(paths.stream().map(path -> new Place(item, path, 0)).toList());
        }

        private void expand(List<Place> places) {
            List<Place> walked = new ArrayList<>(places.size());
            Value.@Nullable Array array = null;
            for (Place place : places) {
                Place next = place.isFinal() ? place : place.walked();
                walked.add(next);
                if (array == null && !next.isFinal() && next.value() instanceof Value.Array at) {
                    array = at;
                }
            }
            if (array == null) {
                add(walked.stream().map(Place::value).toList());
                return;
            }
            if (array.elements().isEmpty()) {
                expand(in(walked, array, Place::intoNothing));
            }
            for (Value element : array.elements()) {
                expand(in(walked, array, place -> place.into(element)));
            }
        }

        /**
         * Steps into one array. Another one beside it is taken as a whole: all pairs of their
         * elements could be too many, and leaders refuse such items.
         */
        private List<Place> in(List<Place> places, Value array, UnaryOperator<Place> step) {
            List<Place> next = new ArrayList<>(places.size());
            for (Place place : places) {
                if (place.isFinal() || !(place.value() instanceof Value.Array)) {
                    next.add(place);
                } else if (place.value() == array) {
                    next.add(step.apply(place));
                } else {
                    isParallel = true;
                    next.add(place.asFinal());
                }
            }
            return next;
        }

        private void add(List<Value> values) {
            if (index.sparse() && values.stream().noneMatch(Value::isDefined)) {
                return;
            }
            BinaryWriter out = new BinaryWriter(128);
            out.list(index.key(), (w, field) -> w.string(field.path()));
            out.bool(index.sparse()).optional(index.filter(), BinaryWriter::bytes);
            values.forEach(value -> UniqueValues.writeInOrder(out, value));
            Bytes digest = UniqueValues.digest(out.toArray());
            keys.putIfAbsent(digest, new Key(values, digest));
        }
    }
}
