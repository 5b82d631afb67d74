package orrery.query.mongo.aggregate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import orrery.document.HeapSize;
import orrery.document.Value;
import orrery.model.Cancellation;

/**
 * {@code $facet}: pipelines over the same documents, and one document with what each of them made.
 * The documents are read once, some at a time, and all pipelines take them before the next are
 * read.
 */
final class FacetDocuments implements Documents {
    /** The documents that are read at a time. */
    private static final long TURN_BYTES = 4 << 20;

    private final Documents source;
    private final List<Value.Obj> turn = new ArrayList<>();
    private final Map<String, Part> parts = new LinkedHashMap<>();
    private final StageMemory memory = new StageMemory("$facet");
    private boolean isSourceAtEnd;
    private boolean isDone;
    private Value.Obj row = new Value.Obj(Map.of());

    /** The documents of this turn, for one of the pipelines. */
    private final class Taken implements Documents {
        private int at = -1;

        @Override
        public Step advance() {
            if (at + 1 < turn.size()) {
                at++;
                return Step.ROW;
            }
            return isSourceAtEnd ? Step.END : Step.PAUSED;
        }

        @Override
        public Value.Obj row() {
            return turn.get(at);
        }

        @Override
        public long heapBytes() {
            return 0; // the turn is counted once
        }
    }

    /** One of the pipelines. */
    private final class Part {
        private final Taken taken;
        private final Documents documents;
        private final List<Value> results = new ArrayList<>();
        private boolean isAtEnd;

        Part(Taken taken, Documents documents) {
            this.taken = taken;
            this.documents = documents;
        }

        /** Takes what there is of this turn. */
        void go() {
            while (!isAtEnd) {
                switch (documents.advance()) {
                    case ROW -> {
                        results.add(documents.row());
                        memory.take(HeapSize.of(documents.row()));
                    }
                    case PAUSED -> {
                        return;
                    }
                    case END -> isAtEnd = true;
                }
            }
        }
    }

    /**
     * @param run runs the stages of a pipeline over documents
     */
    FacetDocuments(
            Documents source,
            Map<String, Pipeline> pipelines,
            BiFunction<List<Stage>, Documents, Documents> run) {
        this.source = source;
        pipelines.forEach(
                (name, pipeline) -> {
                    Taken taken = new Taken();
                    parts.put(name, new Part(taken, run.apply(pipeline.stages(), taken)));
                });
    }

    @Override
    public Step advance() {
        if (isDone) {
            return Step.END;
        }
        while (parts.values().stream().anyMatch(part -> !part.isAtEnd)) {
            // A turn that failed is taken up where it was.
            if (turn.isEmpty() && !readTurn()) {
                return Step.PAUSED;
            }
            parts.values().forEach(Part::go);
            turn.clear();
            parts.values().forEach(part -> part.taken.at = -1);
        }
        isDone = true;
        Map<String, Value> fields = new LinkedHashMap<>();
        parts.forEach((name, part) -> fields.put(name, new Value.Array(part.results)));
        row = new Value.Obj(fields);
        return Step.ROW;
    }

    /** Returns false if the source pauses. */
    private boolean readTurn() {
        long bytes = 0;
        while (bytes < TURN_BYTES && !isSourceAtEnd) {
            Cancellation.current().check();
            switch (source.advance()) {
                case ROW -> {
                    turn.add(source.row());
                    bytes += HeapSize.of(source.row());
                }
                case PAUSED -> {
                    return false;
                }
                case END -> isSourceAtEnd = true;
            }
        }
        return true;
    }

    @Override
    public Value.Obj row() {
        return row;
    }

    @Override
    public long heapBytes() {
        long inner = parts.values().stream().mapToLong(part -> part.documents.heapBytes()).sum();
        return memory.bytes() + inner + source.heapBytes();
    }
}
