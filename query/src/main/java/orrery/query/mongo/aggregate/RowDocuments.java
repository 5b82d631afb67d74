package orrery.query.mongo.aggregate;

import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import orrery.document.HeapSize;
import orrery.document.Value;
import orrery.model.Cancellation;
import orrery.query.dialect.Effort;

/** Stages that look at one document each. */
final class RowDocuments implements Documents {
    private final Documents source;
    private final RowChain chain;
    private final Effort effort = new Effort();
    private Iterator<Value.Obj> rows = Collections.emptyIterator();
    private Value.Obj row = new Value.Obj(Map.of());

    RowDocuments(Documents source, RowChain chain) {
        this.source = source;
        this.chain = chain;
    }

    @Override
    public Step advance() {
        while (!rows.hasNext()) {
            Cancellation.current().check();
            Step step = source.advance();
            if (step != Step.ROW) {
                return step;
            }
            rows = chain.rows(source.row(), effort);
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
        return HeapSize.of(row) + source.heapBytes();
    }
}
