package orrery.query.index;

import java.util.Optional;
import orrery.document.IndexPath;
import orrery.model.Bytes;

/** What the entries of one index at one path must look like. */
public sealed interface EntryCondition permits IndexFilter.OnPath, NearCells {
    IndexPath path();

    /** What the terms of the index begin with. */
    Bytes prefix();

    /** What they go on with. */
    ValueRanges ranges();

    /** For an entry that is known to lie in the ranges. */
    boolean passes(byte[] entry, int valueAt);

    /** The first of the item's entries here that match, in the order of the index. */
    Optional<Bytes> first(PathValues item);

    /** Whether an item may have several entries that match. */
    boolean meetsItemsTwice();
}
