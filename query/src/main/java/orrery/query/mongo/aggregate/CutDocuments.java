package orrery.query.mongo.aggregate;

import orrery.document.Value;
import orrery.query.dialect.RowLimit;

/** {@code $skip} and {@code $limit}. Nothing behind the limit is asked for. */
final class CutDocuments implements Documents {
    private final Documents source;
    private RowLimit limit;

    CutDocuments(Documents source, RowLimit limit) {
        this.source = source;
        this.limit = limit;
    }

    @Override
    public Step advance() {
        while (!limit.isReached()) {
            Step step = source.advance();
            if (step != Step.ROW) {
                return step;
            }
            boolean isSkipped = limit.skip() > 0;
            limit = limit.behind(1);
            if (!isSkipped) {
                return Step.ROW;
            }
        }
        return Step.END;
    }

    @Override
    public Value.Obj row() {
        return source.row();
    }

    @Override
    public long heapBytes() {
        return limit.isReached() ? 0 : source.heapBytes();
    }
}
