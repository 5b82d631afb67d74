package orrery.query.mongo.find;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import orrery.document.BsonCodec;
import orrery.document.CanonicalValue;
import orrery.document.HeapSize;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.query.dialect.GroupList;
import orrery.query.dialect.GroupTable;
import orrery.query.evaluate.ValueHash;
import orrery.query.mongo.FieldPath;
import orrery.query.mongo.MongoOrder;

/** The different values at a path, of which the first that was met stands for its equals. */
final class DistinctTable implements GroupTable {
    private static final String VALUE = "v";
    private static final long GROUP_BYTES = 256;

    /** Places are in continuations, so a long value is named by its beginning and a hash. */
    private static final int MAX_PLACE = 64;

    private final FieldPath key;
    private final MongoOrder order;
    private final Supplier<Value.Obj> document;
    private final Map<Bytes, Value.Obj> rows = new HashMap<>();
    private long sizeBytes;

    /**
     * @param order says which values are equal
     * @param document the present one
     */
    DistinctTable(FieldPath key, MongoOrder order, Supplier<Value.Obj> document) {
        this.key = key;
        this.order = order;
        this.document = document;
    }

    @Override
    public void add() {
        key.visitUnwound(
                document.get(),
                (value, _) -> {
                    if (value.isDefined()) {
                        add(value);
                    }
                    return false;
                });
    }

    private void add(Value value) {
        Bytes place = place(CanonicalValue.of(order.key(value)));
        if (rows.putIfAbsent(place, new Value.Obj(Map.of(VALUE, value))) == null) {
            sizeBytes += GROUP_BYTES + HeapSize.of(value);
        }
    }

    private static Bytes place(Bytes canonical) {
        if (canonical.length() <= MAX_PLACE) {
            return canonical;
        }
        ValueHash hash = ValueHash.of(Value.of(canonical.toHex()));
        BinaryWriter out = new BinaryWriter(MAX_PLACE + 16);
        out.raw(Bytes.copyOf(canonical.unsafeArray(), 0, MAX_PLACE));
        hash.write(out);
        return out.toBytes();
    }

    @Override
    public int size() {
        return rows.size();
    }

    @Override
    public long sizeBytes() {
        return sizeBytes;
    }

    @Override
    public Iterator<Bytes> states() {
        return rows.values().stream().map(BsonCodec::write).iterator();
    }

    @Override
    public void merge(Bytes state) {
        try {
            Value value = BsonCodec.read(state).properties().get(VALUE);
            if (value == null) {
                throw new MalformedRecordException("a distinct value is missing");
            }
            add(value);
        } catch (OrreryException damaged) {
            throw new MalformedRecordException("a distinct value is no document");
        }
    }

    @Override
    public Iterator<Value> results() {
        return rows.values().stream().map(Value.class::cast).iterator();
    }

    @Override
    public GroupList list() {
        List<Bytes> places = new ArrayList<>(rows.keySet());
        Collections.sort(places);
        return new GroupList() {
            @Override
            public int size() {
                return places.size();
            }

            @Override
            public Optional<Value> result(int at) {
                return Optional.of(Objects.requireNonNull(rows.get(places.get(at))));
            }

            @Override
            public Bytes place(int at) {
                return places.get(at);
            }

            @Override
            public int upTo(Bytes place) {
                int found = Collections.binarySearch(places, place);
                return found < 0 ? -found - 1 : found + 1;
            }
        };
    }
}
