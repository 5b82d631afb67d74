package orrery.partition;

import orrery.model.Bytes;
import orrery.model.ItemKey;

/**
 * The change of an item that a walk has found.
 *
 * @param docid of the item, which it keeps
 * @param seenBytes of the body that the change was computed from
 */
record PlannedChange(ItemKey key, long docid, int seenBytes, ChangeEvaluation.Change change) {
    /** Returns the bytes of the bodies before and after the change. */
    long bytes() {
        return (long) seenBytes + change.body().map(Bytes::length).orElse(0);
    }
}
