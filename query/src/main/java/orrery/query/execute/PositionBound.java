package orrery.query.execute;

import java.util.Optional;

/**
 * A place at which a part of an answer ends.
 *
 * @param sorting the order of places, where results are sorted
 */
record PositionBound(Position end, Optional<Sorting> sorting) {
    /**
     * Returns true if a row of an item lies at the end or behind it.
     *
     * @param rows those of the item that come before
     */
    boolean isBehind(Position item, long rows) {
        int order = order(item);
        return order > 0 || (order == 0 && !end.isBehind() && rows >= end.rows());
    }

    private int order(Position item) {
        if (sorting.isPresent()) {
            return sorting.get().compare(item.key(), item.docid(), end.key(), end.docid());
        }
        int byBranch = Integer.compare(item.branch(), end.branch());
        int byKey = byBranch != 0 ? byBranch : item.key().compareTo(end.key());
        return byKey != 0 ? byKey : Long.compareUnsigned(item.docid(), end.docid());
    }
}
