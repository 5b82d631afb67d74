package orrery.query.execute;

import java.util.List;
import java.util.OptionalInt;
import orrery.document.ByteSink;
import orrery.document.IndexPath;
import orrery.document.IndexValue;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.codec.MalformedRecordException;

/**
 * The values of ORDER BY as one byte string that sorts as they do: as in the index that serves the
 * order, so that a place in it can be taken up by a sort and the other way round. The index has
 * only the beginning of a long string, a sort key has all of it.
 *
 * @param parts in order
 * @param isComposite whether arrays and objects count as undefined, as they do in composite indexes
 */
record SortKey(List<Part> parts, boolean isComposite) {
    /**
     * @param isFlipped whether greater values come first
     */
    record Part(IndexPath path, boolean isFlipped) {}

    SortKey {
        parts = List.copyOf(parts);
    }

    /** The key of the values of a row, one for each part. */
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
        Bytes encoded = IndexValue.encodeWhole(isHeld ? value : Value.Undefined.UNDEFINED);
        for (int i = 0; i < encoded.length(); i++) {
            out.put(isFlipped ? ~encoded.at(i) : encoded.at(i));
        }
    }

    /**
     * Returns the part of a key that the index holds. Fails with BAD_REQUEST for one that was made
     * for another.
     */
    Bytes indexed(Bytes key) {
        ByteSink out = new ByteSink(64);
        try {
            int at = 0;
            for (Part part : parts) {
                at = IndexValue.putShortened(key.unsafeArray(), at, part.isFlipped(), out);
            }
        } catch (MalformedRecordException otherIndex) {
            throw Progress.invalid();
        }
        return out.toBytes();
    }

    /**
     * Returns the end of the first string that is cut in the index's part of a key. Keys that are
     * equal up to there may sort in any order.
     */
    OptionalInt cutEnd(byte[] row, int from, int to) {
        if (to - from <= IndexValue.MAX_TEXT_BYTES) {
            return OptionalInt.empty();
        }
        int at = from;
        for (Part part : parts) {
            int end = IndexValue.end(row, at, part.isFlipped());
            if (IndexValue.isCut(row, at, end, part.isFlipped())) {
                return OptionalInt.of(end);
            }
            at = end;
        }
        return OptionalInt.empty();
    }
}
