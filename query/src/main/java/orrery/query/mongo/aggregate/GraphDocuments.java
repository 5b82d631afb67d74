package orrery.query.mongo.aggregate;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import orrery.document.BsonValue;
import orrery.document.HeapSize;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.Cancellation;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.ValuePlaces;
import orrery.query.mongo.expression.Numbers;

/**
 * {@code $graphLookup}: puts into each document those of another collection that can be reached
 * from it. A search takes one step after the other, and each step asks for all documents that the
 * values of the step before lead to. Each value is asked for once, so circles end.
 */
final class GraphDocuments implements Documents {
    /** Values that one query asks for. */
    private static final int MOST_VALUES = 1_000;

    private static final long ENTRY_BYTES = 96;

    private final Documents source;
    private final GraphSpec spec;
    private final OtherCollections collections;

    /** The document whose search has not ended: one that was refused for its rate begins again. */
    private Value.@Nullable Obj pending;

    private Value.Obj row = new Value.Obj(Map.of());

    GraphDocuments(Documents source, GraphSpec spec, OtherCollections collections) {
        this.source = source;
        this.spec = spec;
        this.collections = collections;
    }

    @Override
    public Step advance() {
        if (pending == null) {
            Step step = source.advance();
            if (step != Step.ROW) {
                return step;
            }
            pending = source.row();
        }
        row = FieldSetter.with(pending, spec.as(), new Value.Array(new Search().reached(pending)));
        pending = null;
        return Step.ROW;
    }

    @Override
    public Value.Obj row() {
        return row;
    }

    @Override
    public long heapBytes() {
        return source.heapBytes() + HeapSize.of(row) + (pending == null ? 0 : HeapSize.of(pending));
    }

    /** The search of one document. */
    private final class Search {
        private final StageMemory memory = new StageMemory("$graphLookup");
        private final List<Value> found = new ArrayList<>();
        private final Set<Bytes> ids = new HashSet<>();

        /** The places of values that were asked for, or will be with the next step. */
        private final Set<Bytes> asked = new HashSet<>();

        private List<Value> next = new ArrayList<>();

        List<Value> reached(Value.Obj document) {
            Value start = spec.startWith().evaluate(spec.context().variables(document));
            if (start instanceof Value.Array(List<Value> several)) {
                several.forEach(this::lead);
            } else {
                lead(start.isDefined() ? start : Value.Null.NULL);
            }
            long depth = 0;
            while (!next.isEmpty() && depth <= spec.maxDepth().orElse(Long.MAX_VALUE)) {
                Cancellation.current().check();
                List<Value> values = next;
                next = new ArrayList<>();
                for (int from = 0; from < values.size(); from += MOST_VALUES) {
                    take(values.subList(from, Math.min(values.size(), from + MOST_VALUES)), depth);
                }
                depth++;
            }
            return found;
        }

        /** Has the next step ask for a value. What is undefined equals nothing. */
        private void lead(Value value) {
            if (value instanceof BsonValue.Undef) {
                return;
            }
            Bytes place = ValuePlaces.of(value, spec.context().order());
            if (asked.add(place)) {
                memory.take(ENTRY_BYTES + place.length() + HeapSize.of(value));
                next.add(value);
            }
        }

        /** Takes all documents that some values lead to, each when it is reached first. */
        private void take(List<Value> values, long depth) {
            List<Value> conditions = new ArrayList<>();
            conditions.add(LookupDocuments.filter(spec.connectTo(), values));
            spec.restriction().ifPresent(conditions::add);
            Value match =
                    new Value.Obj(
                            Map.of(
                                    "$match",
                                    new Value.Obj(Map.of("$and", new Value.Array(conditions)))));
            Documents matches =
                    collections.open(Optional.of(spec.from()), List.of(match), spec.context());
            while (matches.advance() == Step.ROW) {
                Value.Obj document = matches.row();
                Value id = document.properties().getOrDefault("_id", Value.Null.NULL);
                if (ids.add(ValuePlaces.of(id, MongoOrder.SIMPLE))) {
                    memory.take(ENTRY_BYTES + HeapSize.of(document));
                    found.add(shown(document, depth));
                    follow(document);
                }
            }
        }

        private Value shown(Value.Obj document, long depth) {
            return spec.depthField()
                    .map(field -> FieldSetter.with(document, field, Numbers.int64(depth)))
                    .orElse(document);
        }

        private void follow(Value.Obj document) {
            spec.connectFrom()
                    .visitUnwound(
                            document,
                            (value, _) -> {
                                if (value.isDefined()) {
                                    lead(value);
                                }
                                return false;
                            });
        }
    }
}
