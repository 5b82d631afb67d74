package orrery.query.execute;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import orrery.document.BsonValue;
import orrery.document.ByteSink;
import orrery.document.IndexPath;
import orrery.document.IndexValue;
import orrery.document.TypeOrder;
import orrery.document.Value;
import orrery.document.ValueTag;
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
 * @param isDeep whether arrays and objects sort by their contents, which no index has; then the
 *     value undefined of BSON sorts below an absent one
 */
record SortKey(
        List<Part> parts, boolean isComposite, TypeOrder types, TermRules rules, boolean isDeep) {
    private static final int END = 0x00;
    private static final int MORE = 0x01;

    /** Lies between the places of the lowest type and of absent values. */
    private static final int BELOW_ABSENT = 0x0F;

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
        int start = out.length();
        if (isDeep) {
            putDeep(value, out);
        } else {
            boolean isHeld =
                    !(isComposite && (value instanceof Value.Array || value instanceof Value.Obj));
            putScalar(isHeld ? value : Value.Undefined.UNDEFINED, out);
        }
        if (isFlipped) {
            out.complementFrom(start);
        }
    }

    private void putScalar(Value value, ByteSink out) {
        Bytes encoded = IndexValue.encodeWhole(value);
        out.put(types.place(encoded.at(0)));
        out.put(encoded.unsafeArray(), 1, encoded.length() - 1);
    }

    /**
     * The bytes of an array or object begin as those in the index, which has no more than whether
     * something follows. Properties sort by type, then by name, then by value.
     */
    private void putDeep(Value value, ByteSink out) {
        switch (value) {
            case Value.Array(List<Value> elements) -> {
                out.put(types.place(ValueTag.ARRAY));
                elements.forEach(element -> putDeep(element, out.put(MORE)));
                out.put(END);
            }
            case Value.Obj(Map<String, Value> properties) -> {
                out.put(types.place(ValueTag.OBJECT));
                properties.forEach(
                        (name, property) -> {
                            out.put(MORE);
                            out.put(types.place(IndexValue.encodeWhole(property).at(0)));
                            putScalar(Value.of(name), out);
                            putDeep(property, out);
                        });
                out.put(END);
            }
            case BsonValue.Undef _ -> out.put(BELOW_ABSENT);
            default -> putScalar(value, out);
        }
    }

    /** Returns true if an index that has the order may have a place for a key. */
    boolean isInIndex(Bytes key) {
        if (!isDeep) {
            return true;
        }
        byte[] tagged = key.unsafeArray().clone();
        int at = 0;
        for (Part part : parts) {
            if (at >= tagged.length) {
                throw Progress.invalid();
            }
            int flip = flip(part.isFlipped());
            if ((byte) (tagged[at] ^ flip) == BELOW_ABSENT) {
                return false;
            }
            toTag(tagged, at, part.isFlipped());
            int tag = (byte) (tagged[at] ^ flip);
            if (tag == ValueTag.ARRAY || (isComposite && tag == ValueTag.OBJECT)) {
                return false;
            }
            at = isComposite ? IndexValue.end(tagged, at, part.isFlipped()) : tagged.length;
        }
        return true;
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

    private static boolean isFullObject(byte[] row, int from, int to) {
        return to - from == 2 && row[from] == ValueTag.OBJECT && row[from + 1] == MORE;
    }

    /**
     * Returns the end of the first string that is cut in the index's part of a key. Keys that are
     * equal up to there may sort in any order.
     */
    OptionalInt cutEnd(byte[] row, int from, int to) {
        if (isDeep && !isComposite && isFullObject(row, from, to)) {
            return OptionalInt.of(to);
        }
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
