package orrery.query.mongo.aggregate;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import orrery.document.BsonValue;
import orrery.document.HeapSize;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.Cancellation;
import orrery.query.mongo.FieldPath;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.ValuePlaces;
import orrery.query.mongo.expression.Variables;

/**
 * {@code $lookup}: puts documents of another collection into each. Where values are to be equal,
 * one query asks for those of many documents at once. A pipeline that sees nothing of a document is
 * run once, if what it gives can be kept.
 */
final class LookupDocuments implements Documents {
    /** The documents whose matches are asked for at once: few at first, as few may be wanted. */
    private static final int FIRST_BATCH = 16;

    private static final int LARGEST_BATCH = 256;

    /** Matches of one batch that may be kept; what needs more is asked for in smaller batches. */
    private static final long BATCH_BYTES = 16 << 20;

    private static final long LIST_BYTES = 64;

    private final Documents source;
    private final LookupSpec spec;
    private final OtherCollections collections;
    private final Queue<Value.Obj> made = new ArrayDeque<>();
    private final List<Value.Obj> batch = new ArrayList<>();
    private int batchSize = FIRST_BATCH;
    private @Nullable List<Value> same;
    private long madeBytes;
    private Value.Obj row = new Value.Obj(Map.of());

    LookupDocuments(Documents source, LookupSpec spec, OtherCollections collections) {
        this.source = source;
        this.spec = spec;
        this.collections = collections;
    }

    @Override
    public Step advance() {
        while (made.isEmpty()) {
            Step step = Step.ROW;
            while (batch.size() < batchSize && step == Step.ROW) {
                step = source.advance();
                if (step == Step.ROW) {
                    batch.add(source.row());
                }
            }
            if (step == Step.PAUSED && batch.size() < batchSize) {
                return Step.PAUSED;
            }
            if (batch.isEmpty()) {
                return Step.END;
            }
            joinBatch();
            batch.clear();
            batchSize = Math.min(LARGEST_BATCH, batchSize * 2);
        }
        row = made.remove();
        madeBytes -= HeapSize.of(row);
        return Step.ROW;
    }

    /** What fails may be tried again, so it leaves nothing of the batch. */
    private void joinBatch() {
        try {
            join(List.copyOf(batch));
        } catch (RuntimeException failure) {
            made.clear();
            madeBytes = 0;
            throw failure;
        }
    }

    private void join(List<Value.Obj> documents) {
        if (spec.fields().isPresent() && spec.pipeline().isEmpty()) {
            joinByValues(spec.fields().get(), documents);
        } else {
            documents.forEach(document -> made(document, matches(document)));
        }
    }

    private void made(Value.Obj document, List<Value> matches) {
        Value.Obj joined = FieldSetter.with(document, spec.as(), new Value.Array(matches));
        made.add(joined);
        madeBytes += HeapSize.of(joined);
    }

    // ---- by a pipeline of each document

    private List<Value> matches(Value.Obj document) {
        Cancellation.current().check();
        boolean isSame = spec.fields().isEmpty() && spec.let().isEmpty();
        if (isSame && same != null) {
            return same;
        }
        List<Value> stages = new ArrayList<>();
        spec.fields()
                .ifPresent(
                        fields ->
                                stages.add(
                                        new Value.Obj(
                                                Map.of(
                                                        "$match",
                                                        filter(
                                                                fields.foreign(),
                                                                values(
                                                                        document,
                                                                        fields.local()))))));
        stages.addAll(spec.pipeline());
        Variables variables = spec.context().variables(document);
        Map<String, Value> let = new LinkedHashMap<>();
        spec.let()
                .forEach(
                        (name, expression) -> {
                            Value value = expression.evaluate(variables);
                            let.put(name, value.isDefined() ? value : BsonValue.Undef.UNDEF);
                        });
        Matches all = new Matches(true);
        all.takeAll(collections.open(spec.from(), stages, spec.context().with(let)));
        List<Value> matches = List.copyOf(all.rows);
        if (isSame && all.memory.bytes() <= BATCH_BYTES) {
            same = matches;
        }
        return matches;
    }

    // ---- by equal values

    /** Tries all documents at once, and halves of them if too much comes of it. */
    private void joinByValues(LookupSpec.Fields fields, List<Value.Obj> documents) {
        Cancellation.current().check();
        Map<Bytes, List<Integer>> waiting = new HashMap<>();
        Map<Bytes, Value> wanted = new LinkedHashMap<>();
        for (int i = 0; i < documents.size(); i++) {
            for (Value value : values(documents.get(i), fields.local())) {
                Bytes place = ValuePlaces.of(value, spec.context().order());
                wanted.putIfAbsent(place, value);
                waiting.computeIfAbsent(place, _ -> new ArrayList<>()).add(i);
            }
        }
        Documents found =
                collections.open(
                        spec.from(),
                        List.of(
                                new Value.Obj(
                                        Map.of(
                                                "$match",
                                                filter(
                                                        fields.foreign(),
                                                        List.copyOf(wanted.values()))))),
                        spec.context());
        List<List<Value>> matches = new ArrayList<>();
        documents.forEach(_ -> matches.add(new ArrayList<>()));
        Matches all = new Matches(documents.size() == 1);
        while (found.advance() == Step.ROW) {
            Value.Obj match = found.row();
            if (!all.hasRoomFor(match)) {
                int half = documents.size() / 2;
                joinByValues(fields, documents.subList(0, half));
                joinByValues(fields, documents.subList(half, documents.size()));
                return;
            }
            for (int at : matched(match, fields.foreign(), waiting)) {
                matches.get(at).add(match);
            }
        }
        for (int i = 0; i < documents.size(); i++) {
            made(documents.get(i), matches.get(i));
        }
    }

    /** The documents that wait for one of the values that a match has. */
    private Set<Integer> matched(
            Value.Obj match, FieldPath foreign, Map<Bytes, List<Integer>> waiting) {
        Set<Integer> documents = new TreeSet<>();
        foreign.visitElements(
                match,
                (value, _) -> {
                    // An undefined value equals no other, not even null; a missing one equals null.
                    if (!(value instanceof BsonValue.Undef)) {
                        documents.addAll(
                                waiting.getOrDefault(
                                        ValuePlaces.of(
                                                value.isDefined() ? value : Value.Null.NULL,
                                                spec.context().order()),
                                        Collections.emptyList()));
                    }
                    return false;
                });
        return documents;
    }

    /** The values at the path, of an array its elements; null where there are none. */
    private static List<Value> values(Value.Obj document, FieldPath local) {
        List<Value> values = new ArrayList<>();
        local.visitUnwound(
                document,
                (value, _) -> {
                    if (value.isDefined()) {
                        values.add(value instanceof BsonValue.Undef ? Value.Null.NULL : value);
                    }
                    return false;
                });
        return values.isEmpty() ? List.of(Value.Null.NULL) : values;
    }

    /** A regular expression is a value here, and not a pattern. */
    static Value filter(FieldPath foreign, List<Value> values) {
        List<Value> plain = new ArrayList<>();
        List<Value> conditions = new ArrayList<>();
        for (Value value : values) {
            if (value instanceof BsonValue.Regex) {
                conditions.add(condition(foreign, "$eq", value));
            } else {
                plain.add(value);
            }
        }
        Value among =
                plain.size() == 1
                        ? condition(foreign, "$eq", plain.getFirst())
                        : condition(foreign, "$in", new Value.Array(plain));
        if (conditions.isEmpty()) {
            return among;
        }
        conditions.add(among);
        return new Value.Obj(Map.of("$or", new Value.Array(conditions)));
    }

    private static Value condition(FieldPath path, String operator, Value operand) {
        return new Value.Obj(Map.of(path.dotted(), new Value.Obj(Map.of(operator, operand))));
    }

    /** Documents of the other collection, as far as there is room for them. */
    private final class Matches {
        private final boolean isOfOne;
        private final StageMemory memory = new StageMemory("$lookup");
        private final List<Value> rows = new ArrayList<>();

        Matches(boolean isOfOne) {
            this.isOfOne = isOfOne;
        }

        /** Returns false if another way must be tried; fails if there is none. */
        boolean hasRoomFor(Value.Obj match) {
            long bytes = LIST_BYTES + HeapSize.of(match);
            if (isOfOne && memory.bytes() + bytes > StageMemory.LIMIT_BYTES) {
                throw MongoCode.failure(
                        4568,
                        "Total size of documents in "
                                + spec.from().orElse("the pipeline")
                                + " matching pipeline's $lookup stage exceeds "
                                + StageMemory.LIMIT_BYTES
                                + " bytes");
            }
            if (!isOfOne && memory.bytes() + bytes > BATCH_BYTES) {
                return false;
            }
            memory.take(bytes);
            return true;
        }

        void takeAll(Documents found) {
            while (found.advance() == Step.ROW) {
                hasRoomFor(found.row());
                rows.add(found.row());
            }
        }
    }

    @Override
    public Value.Obj row() {
        return row;
    }

    @Override
    public long heapBytes() {
        long kept = batch.stream().mapToLong(HeapSize::of).sum();
        List<Value> all = same;
        if (all != null) {
            kept += all.stream().mapToLong(HeapSize::of).sum();
        }
        return kept + madeBytes + source.heapBytes();
    }
}
