package orrery.query.execute;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import orrery.document.ByteSink;
import orrery.document.IndexPath;
import orrery.document.IndexValue;
import orrery.document.TypeOrder;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.TermRules;
import orrery.model.codec.MalformedRecordException;

/**
 * The values of ORDER BY as one byte string that sorts as they do: as in the index that serves the
 * order, so that a place in it can be taken up by a sort and the other way round. The index has
 * only the beginning of a long string, a sort key has all of it.
 *
 * <p>In an order of types other than that of the index, the first byte of each value is the place
 * of its type instead of its tag. A composite index has it so in its terms; the terms of a single
 * path have tags.
 *
 * @param parts in order
 * @param isComposite whether arrays and objects count as undefined, as they do in composite indexes
 * @param types the order of values of different types
 * @param rules by which the index was made
 */
record SortKey(List<Part> parts, boolean isComposite, TypeOrder types, TermRules rules) {
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
        int flip = flip(isFlipped);
        out.put(types.place(encoded.at(0)) ^ flip);
        for (int i = 1; i < encoded.length(); i++) {
            out.put(encoded.at(i) ^ flip);
        }
    }

    private static int flip(boolean isFlipped) {
        return isFlipped ? -1 : 0;
    }

    /** Returns the key of the items that have this value in their entries. */
    Bytes ofEntry(Bytes value) {
        if (isComposite || types == TypeOrder.SQL) {
            return value;
        }
        byte[] key = value.unsafeArray().clone();
        key[0] = (byte) types.place(key[0]);
        return Bytes.wrap(key);
    }

    /** Returns the tag of the first value in a key. */
    int firstTag(Bytes key) {
        if (key.length() == 0) {
            throw Progress.invalid();
        }
        return types.tag((key.at(0) ^ flip(parts.getFirst().isFlipped())) & 0xFF);
    }

    /**
     * Returns the part of a key that the index holds. Fails with BAD_REQUEST for one that was made
     * for another.
     */
    Bytes indexed(Bytes key) {
        ByteSink out = new ByteSink(64);
        byte[] tagged = key.unsafeArray().clone();
        try {
            int at = 0;
            for (Part part : parts) {
                int start = out.length();
                toTag(tagged, at, part.isFlipped());
                at = IndexValue.putShortened(tagged, at, part.isFlipped(), rules, out);
                if (isComposite) {
                    toPlace(out.unsafeArray(), start, part.isFlipped());
                }
            }
        } catch (MalformedRecordException | IndexOutOfBoundsException otherIndex) {
            throw Progress.invalid();
        }
        return out.toBytes();
    }

    private void toTag(byte[] bytes, int at, boolean isFlipped) {
        int flip = flip(isFlipped);
        bytes[at] = (byte) (types.tag((bytes[at] ^ flip) & 0xFF) ^ flip);
    }

    private void toPlace(byte[] bytes, int at, boolean isFlipped) {
        int flip = flip(isFlipped);
        bytes[at] = (byte) (types.place((bytes[at] ^ flip) & 0xFF) ^ flip);
    }

    /**
     * Returns the end of the first string that is cut in the index's part of a key. Keys that are
     * equal up to there may sort in any order.
     */
    OptionalInt cutEnd(byte[] row, int from, int to) {
        if (to - from <= rules.textBytes()) {
            return OptionalInt.empty();
        }
        byte[] tagged = isComposite ? Arrays.copyOfRange(row, from, to) : row;
        int start = isComposite ? 0 : from;
        int at = start;
        for (Part part : parts) {
            if (isComposite) {
                toTag(tagged, at, part.isFlipped());
            }
            int end = IndexValue.end(tagged, at, part.isFlipped());
            if (IndexValue.isCut(tagged, at, end, part.isFlipped())) {
                return OptionalInt.of(end - start + from);
            }
            at = end;
        }
        return OptionalInt.empty();
    }
}
