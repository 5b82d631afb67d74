package orrery.query.mongo.aggregate;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import orrery.document.Value;
import orrery.query.dialect.Effort;

/** Stages that follow each other and look at one document each. Safe to share. */
final class RowChain {
    /** What a stage takes for a document, roughly. */
    private static final long STEPS = 100;

    private final List<Stage.OfRows> stages;

    RowChain(List<Stage.OfRows> stages) {
        this.stages = List.copyOf(stages);
    }

    boolean isEmpty() {
        return stages.isEmpty();
    }

    /** Returns true if each document becomes exactly one. */
    boolean isOneOfEach() {
        return stages.stream().allMatch(Stage.Made.class::isInstance);
    }

    /** Returns what becomes of a document, made one after the other. */
    Iterator<Value.Obj> rows(Value.Obj document, Effort effort) {
        return rows(document, 0, effort);
    }

    private Iterator<Value.Obj> rows(Value.Obj document, int from, Effort effort) {
        Value.Obj row = document;
        for (int at = from; at < stages.size(); at++) {
            effort.add(STEPS);
            switch (stages.get(at)) {
                case Stage.Made made -> row = made.stage().apply(row);
                case Stage.Match match -> {
                    if (!match.matcher().matches(row, effort)) {
                        return List.<Value.Obj>of().iterator();
                    }
                }
                case Stage.Redact redact -> {
                    if (!(redact.redaction().apply(row) instanceof Value.Obj left)) {
                        return List.<Value.Obj>of().iterator();
                    }
                    row = left;
                }
                case Stage.Unwind unwind -> {
                    Iterator<Value.Obj> unwound = unwind.spec().rows(row);
                    return at == stages.size() - 1
                            ? unwound
                            : new Flattened(unwound, at + 1, effort);
                }
            }
        }
        return List.of(row).iterator();
    }

    /** The rows of several rows. */
    private final class Flattened implements Iterator<Value.Obj> {
        private final Iterator<Value.Obj> outer;
        private final int from;
        private final Effort effort;
        private @Nullable Iterator<Value.Obj> inner;

        Flattened(Iterator<Value.Obj> outer, int from, Effort effort) {
            this.outer = outer;
            this.from = from;
            this.effort = effort;
        }

        @Override
        public boolean hasNext() {
            while (inner == null || !inner.hasNext()) {
                if (!outer.hasNext()) {
                    return false;
                }
                inner = rows(outer.next(), from, effort);
            }
            return true;
        }

        @Override
        public Value.Obj next() {
            if (!hasNext() || inner == null) {
                throw new NoSuchElementException();
            }
            return inner.next();
        }
    }
}
