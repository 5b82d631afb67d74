package orrery.query.evaluate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.document.Value;
import orrery.document.ValueCodec;
import orrery.model.Bytes;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.query.dialect.GroupList;

/**
 * The groups of one run of an {@link Aggregation}, in the order in which their first rows came. A
 * query without GROUP BY has exactly one group, even if it has no rows.
 *
 * <p>The state of each group can be saved between two rows and merged into another run of the same
 * query. This is how pages and partitions are put together. Not safe to share.
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
     * Returns the state of each group by itself: its keys and the states of its functions. They
     * must not change meanwhile.
     */
    public Iterator<Bytes> states() {
        return groups.entrySet().stream().map(Groups::state).iterator();
    }

    private static Bytes state(Map.Entry<ValueKey, Accumulator[]> group) {
        BinaryWriter out = new BinaryWriter(64);
        writeKeys(out, keys(group));
        for (Accumulator accumulator : group.getValue()) {
            accumulator.save(out);
        }
        return out.toBytes();
    }

    /** Keys may be undefined. */
    static void writeKeys(BinaryWriter out, List<Value> keys) {
        out.list(
                keys,
                (w, key) ->
                        w.optional(Optional.of(key).filter(Value::isDefined), ValueCodec::write));
    }

    static List<Value> readKeys(BinaryReader in) {
        return in.list(r -> r.optional(ValueCodec::read).orElse(Value.Undefined.UNDEFINED));
    }

    /**
     * Adds the state of a group of another run of the same query, as if its rows came after those
     * seen so far. Fails with MalformedRecordException for what is no such state.
     */
    public void merge(Bytes state) {
        BinaryReader in = new BinaryReader(state);
        List<Value> keys = readKeys(in);
        if (keys.size() != aggregation.keys().length) {
            throw new MalformedRecordException("a group of another query");
        }
        for (Accumulator accumulator : group(new Value.Array(keys))) {
            sizeBytes -= accumulator.sizeBytes();
            accumulator.merge(in);
            sizeBytes += accumulator.sizeBytes();
        }
        in.expectEnd();
    }

    /** One for each group whose SELECT list has a value, and none of them checked for writing. */
    Iterator<Value> uncheckedResults() {
        return aggregation.order().isPresent()
                ? new Results(sorted().iterator())
                : new Results(groups.entrySet().iterator());
    }

    private List<Map.Entry<ValueKey, Accumulator[]>> sorted() {
        List<Map.Entry<ValueKey, Accumulator[]>> sorted = new ArrayList<>(groups.entrySet());
        sorted.sort(Comparator.comparing(Groups::keys, aggregation.wholeOrder()));
        return sorted;
    }

    /**
     * Returns the groups as a list that can be left and entered again at any place. They must not
     * change any more.
     */
    public GroupList list() {
        return new Sorted(sorted());
    }

    /** The groups as ORDER BY says, and then by their keys. */
    private final class Sorted implements GroupList {
        private final List<Map.Entry<ValueKey, Accumulator[]>> sorted;

        Sorted(List<Map.Entry<ValueKey, Accumulator[]>> sorted) {
            this.sorted = sorted;
        }

        @Override
        public int size() {
            return sorted.size();
        }

        /** Fails as {@link Projection#apply} does. */
        @Override
        public Optional<Value> result(int at) {
            return Projection.checked(project(sorted.get(at)));
        }

        @Override
        public Bytes place(int at) {
            return GroupPlace.of(keys(sorted.get(at))).encode();
        }

        @Override
        public int upTo(Bytes place) {
            GroupPlace wanted = GroupPlace.decode(place);
            return wanted.keys().isPresent() ? upTo(wanted.keys().get()) : upTo(wanted.hash());
        }

        private int upTo(ValueHash hash) {
            for (int i = 0; i < sorted.size(); i++) {
                if (ValueHash.of(new Value.Array(keys(sorted.get(i)))).equals(hash)) {
                    return i + 1;
                }
            }
            throw GroupPlace.lost();
        }

        private int upTo(List<Value> keys) {
            int low = 0;
            int high = sorted.size();
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (aggregation.wholeOrder().compare(keys(sorted.get(middle)), keys) <= 0) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }
    }

    private Value project(Map.Entry<ValueKey, Accumulator[]> group) {
        List<Value> values = new ArrayList<>(keys(group));
        for (Accumulator accumulator : group.getValue()) {
            values.add(accumulator.result());
        }
        return aggregation.project(values, outer);
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
                Value result = project(rest.next());
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
