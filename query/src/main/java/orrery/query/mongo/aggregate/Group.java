package orrery.query.mongo.aggregate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import orrery.document.BsonCodec;
import orrery.document.HeapSize;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.query.mongo.expression.Variables;

/** One group: its id, and what its fields have gathered. */
final class Group {
    private static final String ID = "i";
    private static final String STATES = "s";
    private static final long GROUP_BYTES = 256;
    private static final long FIELD_BYTES = 96;

    private final Value id;
    private final List<GroupSpec.Field> fields;
    private final List<Accumulator> accumulators = new ArrayList<>();

    Group(Value id, List<GroupSpec.Field> fields) {
        this.id = id;
        this.fields = fields;
        fields.forEach(field -> accumulators.add(field.maker().make(id)));
    }

    /** Returns the heap that a group takes before it has gathered anything. */
    long emptyBytes() {
        return GROUP_BYTES + FIELD_BYTES * fields.size() + HeapSize.of(id);
    }

    /** Takes in a document; returns the bytes that the group grows by. */
    long add(Variables document) {
        long grown = 0;
        for (Accumulator each : accumulators) {
            grown += each.add(document);
        }
        return grown;
    }

    Bytes state() {
        Map<String, Value> state = new LinkedHashMap<>();
        state.put(ID, id);
        state.put(STATES, new Value.Array(accumulators.stream().map(Accumulator::state).toList()));
        return BsonCodec.write(new Value.Obj(state));
    }

    /** Returns the id in a state. */
    static Value id(Map<String, Value> state) {
        Value id = state.get(ID);
        if (id == null) {
            throw new IllegalArgumentException("a group has an id");
        }
        return id;
    }

    /** Takes in the state of a group with the same id; returns the bytes that it grows by. */
    long merge(Map<String, Value> state) {
        List<Value> states = ListAccumulators.elements(state.getOrDefault(STATES, Value.of(0)));
        if (states.size() != accumulators.size()) {
            throw new IllegalArgumentException("a group has a state for each of its fields");
        }
        long grown = 0;
        for (int i = 0; i < states.size(); i++) {
            grown += accumulators.get(i).merge(states.get(i));
        }
        return grown;
    }

    Value.Obj result() {
        Map<String, Value> result = new LinkedHashMap<>();
        result.put("_id", id);
        for (int i = 0; i < accumulators.size(); i++) {
            Value value = accumulators.get(i).result();
            result.put(fields.get(i).name(), value.isDefined() ? value : Value.Null.NULL);
        }
        return new Value.Obj(result);
    }
}
