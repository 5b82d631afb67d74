package orrery.query.mongo.aggregate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import orrery.document.HeapSize;
import orrery.document.Value;

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
        memory.take(ENTRY_BYTES + HeapSize.of(value) + HeapSize.of(document));
        entries.add(new Entry(value.isDefined() ? value : Value.Null.NULL, document));
    }

    @Override
    Iterator<Value.Obj> results() {
        entries.sort(Comparator.comparing(Entry::value, spec.context().order()));
        int size = Math.max(1, (int) Math.round((double) entries.size() / spec.buckets()));
        List<Value.Obj> buckets = new ArrayList<>();
        int from = 0;
        while (from < entries.size()) {
            int to = entries.size();
            if (buckets.size() < spec.buckets() - 1) {
                to = Math.min(to, from + size);
                while (to < entries.size() && isEqual(to - 1, to)) {
                    to++;
                }
            }
            buckets.add(bucket(from, to));
            from = to;
        }
        return buckets.iterator();
    }

    private boolean isEqual(int left, int right) {
        return spec.context().order().equal(entries.get(left).value(), entries.get(right).value());
    }

    /** A bucket ends where the next begins; only the last has its greatest value. */
    private Value.Obj bucket(int from, int to) {
        Map<String, Value> id = new LinkedHashMap<>();
        id.put("min", entries.get(from).value());
        id.put("max", entries.get(to < entries.size() ? to : to - 1).value());
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
