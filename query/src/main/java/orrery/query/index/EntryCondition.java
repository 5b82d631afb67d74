package orrery.query.index;

import java.util.Optional;
import orrery.document.IndexPath;
import orrery.model.Bytes;
import orrery.query.dialect.Effort;

/** A condition on the entries of one index at one path. */
public sealed interface EntryCondition permits IndexFilter.OnPath, NearCells {
    IndexPath path();

    /** Returns the bytes with which the terms of the index begin. */
    Bytes prefix();

    /** Returns the bytes with which the matching terms go on. */
    ValueRanges ranges();

    /**
     * Returns true if an entry that lies in the ranges meets the condition.
     *
     * @param effort counts what that computes
     */
    boolean passes(byte[] entry, int valueAt, Effort effort);

    /** The first of the item's entries here that match, in the order of the index. */
    Optional<Bytes> first(PathValues item);

    /** Returns true if an item may have several entries that match. */
    boolean meetsItemsTwice();
}
