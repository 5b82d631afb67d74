package orrery.query.execute;

import java.util.List;
import orrery.document.ByteSink;
import orrery.document.IndexPath;
import orrery.document.IndexValue;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.query.evaluate.Bindings;
import orrery.query.evaluate.Expression;

/**
 * The values of ORDER BY as one byte string that sorts as they do: as in the index that serves the
 * order, so that a place in it can be taken up by a sort and the other way round. Of long strings
 * more is kept than in the index, unless there are several values.
 *
 * @param parts in order
 * @param isComposite whether arrays and objects count as undefined, as they do in composite indexes
 */
record SortKey(List<Part> parts, boolean isComposite) {
    /**
     * @param isFlipped whether greater values come first
     */
    record Part(IndexPath path, Expression value, boolean isFlipped) {}

    SortKey {
        parts = List.copyOf(parts);
    }

    Bytes of(Bindings row) {
        ByteSink out = new ByteSink(64);
        for (Part part : parts) {
            put(part.value().evaluate(row), part.isFlipped(), out);
        }
        return out.toBytes();
    }

    /** The key of values that a client sends back. */
    Bytes of(List<Value> values) {
        ByteSink out = new ByteSink(64);
        for (int i = 0; i < parts.size(); i++) {
            put(values.get(i), parts.get(i).isFlipped(), out);
        }
        return out.toBytes();
    }

    private void put(Value value, boolean isFlipped, ByteSink out) {
        boolean isHeld =
                !(isComposite && (value instanceof Value.Array || value instanceof Value.Obj));
        Bytes encoded =
                isComposite
                        ? IndexValue.encode(isHeld ? value : Value.Undefined.UNDEFINED)
                        : IndexValue.encodeLong(value);
        for (int i = 0; i < encoded.length(); i++) {
            out.put(isFlipped ? ~encoded.at(i) : encoded.at(i));
        }
    }
}
