package orrery.query.mongo.aggregate;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import orrery.document.HeapSize;
import orrery.document.Value;

/** Documents that are there. */
public final class ListDocuments implements Documents {
    private final Iterator<Value.Obj> rows;
    private final long heapBytes;
    private Value.Obj row = new Value.Obj(Map.of());

    public ListDocuments(List<Value.Obj> rows) {
        this.rows = rows.iterator();
        this.heapBytes = rows.stream().mapToLong(HeapSize::of).sum();
    }

    @Override
    public Step advance() {
        if (!rows.hasNext()) {
            return Step.END;
        }
        row = rows.next();
        return Step.ROW;
    }

    @Override
    public Value.Obj row() {
        return row;
    }

    @Override
    public long heapBytes() {
        return heapBytes;
    }
}
