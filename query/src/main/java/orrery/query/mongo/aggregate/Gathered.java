package orrery.query.mongo.aggregate;

import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import orrery.document.Value;
import orrery.model.Cancellation;

/** Documents that are made when all of the source have been seen. */
abstract class Gathered implements Documents {
    private final Documents source;
    private @Nullable Iterator<Value.Obj> results;
    private Value.Obj row = new Value.Obj(Map.of());

    Gathered(Documents source) {
        this.source = source;
    }

    /** Takes in a document of the source. */
    abstract void add(Value.Obj document);

    /** Returns the results, once all documents have been seen. */
    abstract Iterator<Value.Obj> results();

    /** Returns the heap that was gathered. */
    abstract long gatheredBytes();

    @Override
    public Step advance() {
        Iterator<Value.Obj> rest = results;
        while (rest == null) {
            Cancellation.current().check();
            switch (source.advance()) {
                case ROW -> add(source.row());
                case PAUSED -> {
                    return Step.PAUSED;
                }
                case END -> {
                    rest = results();
                    results = rest;
                }
            }
        }
        if (!rest.hasNext()) {
            return Step.END;
        }
        row = rest.next();
        return Step.ROW;
    }

    @Override
    public Value.Obj row() {
        return row;
    }

    @Override
    public long heapBytes() {
        return gatheredBytes() + (results == null ? source.heapBytes() : 0);
    }
}
