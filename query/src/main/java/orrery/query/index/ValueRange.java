package orrery.query.index;

import orrery.model.Bytes;

/** Encoded index values from one, inclusive, to another, exclusive. */
public record ValueRange(Bytes from, Bytes to) {
    public ValueRange {
        if (from.compareTo(to) >= 0) {
            throw new IllegalArgumentException("a range of values needs from < to");
        }
    }
}
