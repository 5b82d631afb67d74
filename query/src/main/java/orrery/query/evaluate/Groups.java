package orrery.query.evaluate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import orrery.document.Value;

/**
 * The groups of one run of an {@link Aggregation}, in the order in which their first rows came. A
 * query without GROUP BY has exactly one group, even if it has no rows.
 *
 * <p>The state can be saved between two rows and merged into another run of the same query, which
 * is how a run continues over pages and how partitions are put together. Not safe to share.
 */
public final class Groups {
    /**
     * The heap that a group takes besides its keys: the entry of the table and the objects it
     * refers to.
     */
    private static final long GROUP_BYTES = 160;

    private static final long ACCUMULATOR_BYTES = 48;

    private final Aggregation aggregation;
    private final Bindings outer;
    private final Map<ValueKey, Accumulator[]> groups = new LinkedHashMap<>();
    private long sizeBytes;

    /** The group of a query without keys: its rows need not look for it. */
    private final Accumulator @Nullable [] only;

    Groups(Aggregation aggregation, Bindings outer) {
        this.aggregation = aggregation;
        this.outer = outer;
        this.only = aggregation.keys().length == 0 ? group(new Value.Array(List.of())) : null;
    }

    /** Takes a row that the filter let pass. */
    public void add(Bindings row) {
        Accumulator[] accumulators = only != null ? only : group(row);
        Expression[] inputs = aggregation.inputs();
        for (int i = 0; i < inputs.length; i++) {
            Accumulator accumulator = accumulators[i];
            sizeBytes -= accumulator.sizeBytes();
            accumulator.add(inputs[i].evaluate(row));
            sizeBytes += accumulator.sizeBytes();
        }
    }

    private Accumulator[] group(Bindings row) {
        Expression[] keys = aggregation.keys();
        Value[] values = new Value[keys.length];
        for (int i = 0; i < keys.length; i++) {
            values[i] = keys[i].evaluate(row);
        }
        return group(new Value.Array(List.of(values)));
    }

    private Accumulator[] group(Value.Array keys) {
        ValueKey key = new ValueKey(keys);
        Accumulator[] known = groups.get(key);
        if (known != null) {
            return known;
        }
        Accumulator[] accumulators = aggregation.newAccumulators();
        groups.put(key, accumulators);
        sizeBytes +=
                2 * BoundedText.addJson(keys, 0)
                        + GROUP_BYTES
                        + ACCUMULATOR_BYTES * accumulators.length;
        return accumulators;
    }

    public int size() {
        return groups.size();
    }

    /** The memory that all groups take, roughly: whoever has a budget ends the run and saves it. */
    public long sizeBytes() {
        return sizeBytes;
    }

    /**
     * The state as a value that JSON can write: for each group its keys and the state of each of
     * its functions. An undefined key is an empty list, any other a list of one.
     */
    public Value save() {
        List<Value> saved = new ArrayList<>(groups.size());
        for (Map.Entry<ValueKey, Accumulator[]> group : groups.entrySet()) {
            List<Value> keys = new ArrayList<>();
            for (Value key : keys(group)) {
                keys.add(new Value.Array(key.isDefined() ? List.of(key) : List.of()));
            }
            List<Value> states = new ArrayList<>();
            for (Accumulator accumulator : group.getValue()) {
                states.add(accumulator.save());
            }
            saved.add(new Value.Array(List.of(new Value.Array(keys), new Value.Array(states))));
        }
        return new Value.Array(saved);
    }

    /**
     * Adds what another run of the same query saved, as if its rows came after those seen so far.
     * Fails with IllegalArgumentException for what no run of this query saved.
     */
    public void merge(Value saved) {
        for (Value group : elements(saved)) {
            List<Value> parts = elements(group);
            if (parts.size() != 2) {
                throw invalid();
            }
            List<Value> keys = new ArrayList<>();
            for (Value key : elements(parts.get(0))) {
                List<Value> one = elements(key);
                keys.add(one.isEmpty() ? Value.Undefined.UNDEFINED : one.getFirst());
            }
            List<Value> states = elements(parts.get(1));
            if (keys.size() != aggregation.keys().length
                    || states.size() != aggregation.inputs().length) {
                throw invalid();
            }
            Accumulator[] accumulators = group(new Value.Array(keys));
            for (int i = 0; i < accumulators.length; i++) {
                sizeBytes -= accumulators[i].sizeBytes();
                accumulators[i].merge(states.get(i));
                sizeBytes += accumulators[i].sizeBytes();
            }
        }
    }

    private static List<Value> elements(Value saved) {
        if (saved instanceof Value.Array(List<Value> elements)) {
            return elements;
        }
        throw invalid();
    }

    private static IllegalArgumentException invalid() {
        return new IllegalArgumentException("not the saved state of this aggregation");
    }

    /** One for each group whose SELECT list has a value, and none of them checked for writing. */
    Iterator<Value> uncheckedResults() {
        if (aggregation.order().isEmpty()) {
            return new Results(groups.entrySet().iterator());
        }
        List<Map.Entry<ValueKey, Accumulator[]>> sorted = new ArrayList<>(groups.entrySet());
        sorted.sort(Comparator.comparing(Groups::keys, aggregation.order().get()));
        return new Results(sorted.iterator());
    }

    private static List<Value> keys(Map.Entry<ValueKey, Accumulator[]> group) {
        return ((Value.Array) group.getKey().value()).elements();
    }

    /**
     * Returns the value of the SELECT list for each group; groups where it is undefined have none.
     * The groups must not change meanwhile. Fails as {@link Projection#apply} does.
     */
    public Iterator<Value> results() {
        Iterator<Value> results = uncheckedResults();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return results.hasNext();
            }

            @Override
            public Value next() {
                return Projection.checked(results.next()).orElseThrow();
            }
        };
    }

    private final class Results implements Iterator<Value> {
        private final Iterator<Map.Entry<ValueKey, Accumulator[]>> rest;
        private @Nullable Value next;

        Results(Iterator<Map.Entry<ValueKey, Accumulator[]>> rest) {
            this.rest = rest;
        }

        @Override
        public boolean hasNext() {
            while (next == null && rest.hasNext()) {
                Map.Entry<ValueKey, Accumulator[]> group = rest.next();
                List<Value> values = new ArrayList<>(keys(group));
                for (Accumulator accumulator : group.getValue()) {
                    values.add(accumulator.result());
                }
                Value result = aggregation.project(values, outer);
                next = result.isDefined() ? result : null;
            }
            return next != null;
        }

        @Override
        public Value next() {
            if (!hasNext() || next == null) {
                throw new NoSuchElementException();
            }
            Value result = next;
            next = null;
            return result;
        }
    }
}
