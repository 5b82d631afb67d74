package orrery.document;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The members of an object in the order in which they stand. They never change, so objects share
 * them without a copy. A few are kept without hashes: most objects are small, and are read and
 * looked at once; a table of hashes for them would be used once too.
 */
abstract sealed class Members extends AbstractMap<String, Value> {
    /** More are found faster by their hashes. */
    private static final int MOST = 8;

    static Members of(Map<String, Value> properties) {
        if (properties instanceof Members members) {
            return members;
        }
        return properties.size() > MOST
                ? new Many(new LinkedHashMap<>(properties))
                : new Few(
                        properties.keySet().toArray(String[]::new),
                        properties.values().toArray(Value[]::new),
                        properties.size());
    }

    /** Collects members. */
    static final class Builder {
        private String[] names = new String[4];
        private Value[] values = new Value[4];
        private int size;
        private @Nullable LinkedHashMap<String, Value> many;

        /** Puts a member whose name has not come before. */
        void put(String name, Value value) {
            if (many != null) {
                many.put(name, value);
                return;
            }
            if (size == MOST) {
                many = new LinkedHashMap<>(new Few(names, values, size));
                many.put(name, value);
                return;
            }
            if (size == names.length) {
                names = Arrays.copyOf(names, MOST);
                values = Arrays.copyOf(values, MOST);
            }
            names[size] = name;
            values[size] = value;
            size++;
        }

        /** Puts a member unless its name has come before; returns false if it has. */
        boolean putIfNew(String name, Value value) {
            boolean isNew = many == null ? find(names, size, name) < 0 : !many.containsKey(name);
            if (isNew) {
                put(name, value);
            }
            return isNew;
        }

        int size() {
            return many == null ? size : many.size();
        }

        /** Returns the members. The caller puts no more afterwards. */
        Members build() {
            return many == null ? new Few(names, values, size) : new Many(many);
        }
    }

    /**
     * Returns these with another value of one, which stays in its place or stands at the end.
     *
     * @param value undefined for these without the member
     */
    Members with(String name, Value value) {
        Builder all = new Builder();
        boolean isThere = containsKey(name);
        forEach(
                (present, before) -> {
                    if (!present.equals(name)) {
                        all.put(present, before);
                    } else if (value.isDefined()) {
                        all.put(name, value);
                    }
                });
        if (!isThere && value.isDefined()) {
            all.put(name, value);
        }
        return all.build();
    }

    private static int find(String[] names, int size, @Nullable Object name) {
        for (int i = 0; i < size; i++) {
            if (names[i].equals(name)) {
                return i;
            }
        }
        return -1;
    }

    private static final class Few extends Members {
        private final String[] names;
        private final Value[] values;
        private final int size;

        Few(String[] names, Value[] values, int size) {
            this.names = names;
            this.values = values;
            this.size = size;
        }

        @Override
        public @Nullable Value get(@Nullable Object name) {
            int at = find(names, size, name);
            return at < 0 ? null : values[at];
        }

        @Override
        public boolean containsKey(@Nullable Object name) {
            return find(names, size, name) >= 0;
        }

        @Override
        public int size() {
            return size;
        }

        @Override
        public void forEach(BiConsumer<? super String, ? super Value> action) {
            for (int i = 0; i < size; i++) {
                action.accept(names[i], values[i]);
            }
        }

        @Override
        public Set<Entry<String, Value>> entrySet() {
            return new AbstractSet<>() {
                @Override
                public Iterator<Entry<String, Value>> iterator() {
                    return new Iterator<>() {
                        private int next;

                        @Override
                        public boolean hasNext() {
                            return next < size;
                        }

                        @Override
                        public Entry<String, Value> next() {
                            if (next >= size) {
                                throw new NoSuchElementException();
                            }
                            return Map.entry(names[next], values[next++]);
                        }
                    };
                }

                @Override
                public int size() {
                    return size;
                }
            };
        }
    }

    private static final class Many extends Members {
        private final Map<String, Value> table;

        /**
         * @param table in the order in which the members stand; nobody else has it
         */
        Many(Map<String, Value> table) {
            this.table = Collections.unmodifiableMap(table);
        }

        @Override
        public @Nullable Value get(@Nullable Object name) {
            return table.get(name);
        }

        @Override
        public boolean containsKey(@Nullable Object name) {
            return table.containsKey(name);
        }

        @Override
        public int size() {
            return table.size();
        }

        @Override
        public void forEach(BiConsumer<? super String, ? super Value> action) {
            table.forEach(action);
        }

        @Override
        public Set<Entry<String, Value>> entrySet() {
            return table.entrySet();
        }
    }
}
