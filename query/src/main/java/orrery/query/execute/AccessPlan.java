package orrery.query.execute;

import java.util.List;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.query.index.IndexScan;

/**
 * The way in which a partition answers a query, as its planner has chosen it.
 *
 * @param branches the walks through indexes, one after the other. The first scan of each gives the
 *     candidates, and the entries of the others are looked up for each of them
 * @param isBackward whether the index of the order is read from its end
 * @param sorts whether all that matches is found first and then sorted
 * @param readsItems whether items are read, and not only entries or counters
 */
public record AccessPlan(
        Way way,
        List<List<IndexScan>> branches,
        boolean isBackward,
        boolean sorts,
        boolean readsItems) {
    /** The source of the candidates. */
    public enum Way {
        /** The filter is never true. */
        NOTHING,
        /** All items, in the order of their creation or as they are stored. */
        ITEMS,
        /** The entries of indexes that the filter leaves. */
        ENTRIES,
        /** The index that has the order of the query. */
        ORDER
    }

    public AccessPlan {
        branches = branches.stream().map(List::copyOf).toList();
    }

    public void write(BinaryWriter out) {
        out.enumeration(way)
                .list(branches, (w, branch) -> w.list(branch, (v, scan) -> scan.write(v)))
                .bool(isBackward)
                .bool(sorts)
                .bool(readsItems);
    }

    public static AccessPlan read(BinaryReader in) {
        return new AccessPlan(
                in.enumeration(Way.class),
                in.list(r -> r.list(IndexScan::read)),
                in.bool(),
                in.bool(),
                in.bool());
    }
}
