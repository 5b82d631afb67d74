package orrery.query.mongo.aggregate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import orrery.document.HeapSize;
import orrery.document.Value;
import orrery.query.mongo.expression.Numbers;

/**
 * {@code $bucketAuto}: documents in the order of a value, cut into groups of about as many. Equal
 * values are never cut apart.
 */
final class BucketedDocuments extends Gathered {
    private static final long ENTRY_BYTES = 64;

    private final BucketAutoSpec spec;
    private final StageMemory memory = new StageMemory("$bucketAuto");
    private final List<Entry> entries = new ArrayList<>();

    private record Entry(Value value, Value.Obj document) {}

    BucketedDocuments(Documents source, BucketAutoSpec spec) {
        super(source);
        this.spec = spec;
    }

    @Override
    void add(Value.Obj document) {
        Value value = spec.by().evaluate(spec.context().variables(document));
        if (spec.granularity().isPresent()) {
            Granularity.requirePlace(value);
        }
        memory.take(ENTRY_BYTES + HeapSize.of(value) + HeapSize.of(document));
        entries.add(new Entry(value.isDefined() ? value : Value.Null.NULL, document));
    }

    @Override
    Iterator<Value.Obj> results() {
        entries.sort(Comparator.comparing(Entry::value, spec.context().order()));
        int size = Math.max(1, (int) Math.round((double) entries.size() / spec.buckets()));
        List<Value.Obj> buckets = new ArrayList<>();
        Value min = Value.Null.NULL;
        int from = 0;
        while (from < entries.size()) {
            boolean isLast = buckets.size() == spec.buckets() - 1;
            int to = isLast ? entries.size() : Math.min(entries.size(), from + size);
            Value max;
            if (spec.granularity().isPresent()) {
                Granularity series = spec.granularity().get();
                min = buckets.isEmpty() ? series.below(entries.get(from).value()) : min;
                Value bound = series.above(entries.get(to - 1).value());
                to = end(to, value -> spec.context().order().compare(value, bound) < 0);
                // Zero has no number above it in a series; the next bucket says where it begins.
                max =
                        isZero(bound) && to < entries.size()
                                ? series.below(entries.get(to).value())
                                : bound;
            } else {
                min = entries.get(from).value();
                Value greatest = entries.get(to - 1).value();
                to = end(to, value -> spec.context().order().equal(value, greatest));
                max = entries.get(to < entries.size() ? to : to - 1).value();
            }
            buckets.add(bucket(from, to, min, max));
            min = max;
            from = to;
        }
        return buckets.iterator();
    }

    /** Returns the end of a bucket that also has what still belongs to it. */
    private int end(int to, Predicate<Value> belongs) {
        int end = to;
        while (end < entries.size() && belongs.test(entries.get(end).value())) {
            end++;
        }
        return end;
    }

    private static boolean isZero(Value number) {
        return Numbers.toDouble(number) == 0;
    }

    /**
     * A bucket ends where the next begins; only the last has its greatest value, unless bounds are
     * round.
     */
    private Value.Obj bucket(int from, int to, Value min, Value max) {
        Map<String, Value> id = new LinkedHashMap<>();
        id.put("min", min);
        id.put("max", max);
        Group group = new Group(new Value.Obj(id), spec.fields());
        for (Entry entry : entries.subList(from, to)) {
            memory.take(group.add(spec.context().variables(entry.document())));
        }
        return group.result();
    }

    @Override
    long gatheredBytes() {
        return memory.bytes();
    }
}
