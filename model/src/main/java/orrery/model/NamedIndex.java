package orrery.model;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * An index that clients know by a name and by the fields it has, as MongoDB's are. It is part of
 * its container's definition. {@link NamedIndexes} says what the engine makes of it.
 *
 * @param key the fields, in their order
 * @param unique whether no two items of a logical partition may have the same values
 * @param sparse whether items that have none of the fields may be many in spite of {@code unique};
 *     queries do not look at it
 * @param filter BSON of the filter that an item has to match for {@code unique} to hold for it;
 *     {@code partialFilterExpression} of MongoDB
 * @param expireAfterSeconds how long after the date in its field an item ends
 * @param state {@link State#BUILDING} only while items from before a unique index are looked at
 * @param options BSON of what a front-end keeps with the index and the engine does not look at,
 *     such as the version or a comment; empty where there is nothing
 */
public record NamedIndex(
        String name,
        List<Field> key,
        boolean unique,
        boolean sparse,
        Optional<Bytes> filter,
        OptionalInt expireAfterSeconds,
        State state,
        Bytes options) {
    private static final int UNIQUE = 1;
    private static final int SPARSE = 2;

    /** The name of the field whose dates are those of the items' last writes. */
    public static final String LAST_WRITE = "_ts";

    public NamedIndex {
        key = List.copyOf(key);
    }

    /** An index of these fields without any option. */
    public NamedIndex(String name, List<Field> key) {
        this(
                name,
                key,
                false,
                false,
                Optional.empty(),
                OptionalInt.empty(),
                State.READY,
                Bytes.EMPTY);
    }

    public enum Order {
        ASCENDING,
        DESCENDING,
        /** Everything at and below the path, which may be empty: {@code a.$**}, {@code $**}. */
        WILDCARD
    }

    public enum State {
        READY,
        /** New writes are held to it, and earlier items are not known to agree yet. */
        BUILDING
    }

    /**
     * @param path names with dots between them, as MongoDB writes paths; without the {@code $**} of
     *     a wildcard
     */
    public record Field(String path, Order order) {
        public static Field ascending(String path) {
            return new Field(path, Order.ASCENDING);
        }

        public static Field descending(String path) {
            return new Field(path, Order.DESCENDING);
        }

        /**
         * @param path empty for all of an item
         */
        public static Field wildcard(String path) {
            return new Field(path, Order.WILDCARD);
        }

        /** The names of the path; none for a wildcard over all of an item. */
        public List<String> segments() {
            return path.isEmpty() ? List.of() : List.of(path.split("\\.", -1));
        }
    }

    public NamedIndex withUnique(boolean next) {
        return new NamedIndex(name, key, next, sparse, filter, expireAfterSeconds, state, options);
    }

    public NamedIndex withSparse(boolean next) {
        return new NamedIndex(name, key, unique, next, filter, expireAfterSeconds, state, options);
    }

    public NamedIndex withFilter(Bytes bson) {
        return new NamedIndex(
                name, key, unique, sparse, Optional.of(bson), expireAfterSeconds, state, options);
    }

    public NamedIndex withExpiry(OptionalInt seconds) {
        return new NamedIndex(name, key, unique, sparse, filter, seconds, state, options);
    }

    public NamedIndex withState(State next) {
        return new NamedIndex(name, key, unique, sparse, filter, expireAfterSeconds, next, options);
    }

    public NamedIndex withOptions(Bytes bson) {
        return new NamedIndex(name, key, unique, sparse, filter, expireAfterSeconds, state, bson);
    }

    /** Returns what entries of a unique index depend on, and the name. */
    public NamedIndex constraint() {
        return new NamedIndex(
                name, key, unique, sparse, filter, OptionalInt.empty(), State.READY, Bytes.EMPTY);
    }

    /** Returns true if items end by the time of their last write, see {@link #LAST_WRITE}. */
    public boolean isByLastWrite() {
        return key.size() == 1 && key.getFirst().path().equals(LAST_WRITE);
    }

    public boolean isWildcard() {
        return key.stream().anyMatch(field -> field.order() == Order.WILDCARD);
    }

    /** Returns why this is no index, whatever container it is for. */
    Optional<String> fault() {
        if (name.isEmpty() || name.indexOf('\0') >= 0) {
            return Optional.of("the name of an index must not be empty");
        }
        if (name.getBytes(StandardCharsets.UTF_8).length > NamedIndexes.MAX_NAME_BYTES) {
            return Optional.of(
                    "the name of an index has at most " + NamedIndexes.MAX_NAME_BYTES + " bytes");
        }
        if (key.isEmpty() || key.size() > NamedIndexes.MAX_FIELDS) {
            return Optional.of("it has 1 to " + NamedIndexes.MAX_FIELDS + " fields");
        }
        Set<String> paths = new HashSet<>();
        for (Field field : key) {
            if (field.segments().stream().anyMatch(String::isEmpty)
                    || (field.path().isEmpty() && field.order() != Order.WILDCARD)) {
                return Optional.of("the path '" + field.path() + "' has an empty name");
            }
            if (field.segments().size() > NamedIndexes.MAX_DEPTH) {
                return Optional.of(
                        "the path '"
                                + field.path()
                                + "' has more than "
                                + NamedIndexes.MAX_DEPTH
                                + " names");
            }
            if (!paths.add(field.path())) {
                return Optional.of("it has the path '" + field.path() + "' twice");
            }
        }
        return optionsFault();
    }

    private Optional<String> optionsFault() {
        if (isWildcard() && (key.size() > 1 || unique || expireAfterSeconds.isPresent())) {
            return Optional.of("a wildcard has one field, and is neither unique nor for expiry");
        }
        if (expireAfterSeconds.isPresent() && (key.size() > 1 || !isLifetime())) {
            return Optional.of(
                    "an index for expiry has one field, and expireAfterSeconds is not negative;"
                            + " for _ts it is positive, or -1 where only items say when they end");
        }
        if (filter.isPresent() && !unique) {
            return Optional.of("only a unique index can be partial");
        }
        if (key.stream().anyMatch(field -> field.path().equals(LAST_WRITE))
                && (expireAfterSeconds.isEmpty() || unique)) {
            return Optional.of("_ts can only be the one field of an index for expiry");
        }
        return Optional.empty();
    }

    private boolean isLifetime() {
        int seconds = expireAfterSeconds.orElseThrow();
        return isByLastWrite() ? seconds == -1 || seconds > 0 : seconds >= 0;
    }

    void write(BinaryWriter out) {
        out.string(name)
                .list(key, (w, field) -> w.string(field.path()).enumeration(field.order()))
                .u8((unique ? UNIQUE : 0) | (sparse ? SPARSE : 0))
                .optional(filter, BinaryWriter::bytes)
                .bool(expireAfterSeconds.isPresent());
        expireAfterSeconds.ifPresent(out::u32);
        out.enumeration(state).bytes(options);
    }

    static NamedIndex read(BinaryReader in) {
        String name = in.string();
        List<Field> key = in.list(r -> new Field(r.string(), r.enumeration(Order.class)));
        int flags = in.u8();
        return new NamedIndex(
                name,
                key,
                (flags & UNIQUE) != 0,
                (flags & SPARSE) != 0,
                in.optional(BinaryReader::bytes),
                in.bool() ? OptionalInt.of(in.u32()) : OptionalInt.empty(),
                in.enumeration(State.class),
                in.bytes());
    }
}
