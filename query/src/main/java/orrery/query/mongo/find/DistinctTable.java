package orrery.query.mongo.find;

import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Supplier;
import orrery.document.BsonCodec;
import orrery.document.HeapSize;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.OrreryException;
import orrery.model.codec.MalformedRecordException;
import orrery.query.dialect.GroupList;
import orrery.query.dialect.GroupTable;
import orrery.query.mongo.FieldPath;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.ValuePlaces;

/** The different values at a path, of which the first that was met stands for its equals. */
final class DistinctTable implements GroupTable {
    private static final String VALUE = "v";
    private static final long GROUP_BYTES = 256;

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
        Bytes place = ValuePlaces.of(value, order);
        if (rows.putIfAbsent(place, new Value.Obj(Map.of(VALUE, value))) == null) {
            sizeBytes += GROUP_BYTES + HeapSize.of(value);
        }
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
        return ValuePlaces.list(rows, Value.class::cast);
    }
}
