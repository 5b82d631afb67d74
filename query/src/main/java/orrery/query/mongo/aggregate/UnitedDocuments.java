package orrery.query.mongo.aggregate;

import java.util.function.Supplier;
import orrery.document.Value;

/** {@code $unionWith}: the documents of a source, and then those of another. */
final class UnitedDocuments implements Documents {
    private final Supplier<Documents> second;
    private Documents present;
    private boolean isSecond;

    UnitedDocuments(Documents first, Supplier<Documents> second) {
        this.present = first;
        this.second = second;
    }

    @Override
    public Step advance() {
        Step step = present.advance();
        if (step == Step.END && !isSecond) {
            present = second.get();
            isSecond = true;
            return present.advance();
        }
        return step;
    }

    @Override
    public Value.Obj row() {
        return present.row();
    }

    @Override
    public long heapBytes() {
        return present.heapBytes();
    }
}
