package orrery.document;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A few members of an object in the order in which they stand. Queries read some properties of each
 * item that they meet, and look at them once: a table of hashes for them would be used once too. It
 * never changes.
 */
final class FewMembers extends AbstractMap<String, Value> {
    /** More are found faster by their hashes. */
    private static final int MOST = 8;

    private final String[] names;
    private final Value[] values;
    private final int size;

    private FewMembers(String[] names, Value[] values, int size) {
        this.names = names;
        this.values = values;
        this.size = size;
    }

    /** Collects members, none of which comes twice. */
    static final class Builder {
        private String[] names = new String[4];
        private Value[] values = new Value[4];
        private int size;
        private @Nullable Map<String, Value> many;

        void put(String name, Value value) {
            if (many != null) {
                many.put(name, value);
                return;
            }
            if (size == MOST) {
                many = new LinkedHashMap<>(new FewMembers(names, values, size));
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

        int size() {
            return many == null ? size : many.size();
        }

        /** Returns the members. The caller puts no more afterwards. */
        Map<String, Value> build() {
            return many == null ? new FewMembers(names, values, size) : many;
        }
    }

    private int find(@Nullable Object name) {
        for (int i = 0; i < size; i++) {
            if (names[i].equals(name)) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public @Nullable Value get(@Nullable Object name) {
        int at = find(name);
        return at < 0 ? null : values[at];
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
        return find(name) >= 0;
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
