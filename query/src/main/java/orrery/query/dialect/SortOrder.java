package orrery.query.dialect;

import java.util.List;
import java.util.Optional;
import orrery.document.IndexPath;
import orrery.document.TypeOrder;
import orrery.query.index.IndexFilter;
import orrery.query.index.ValueRanges;

/**
 * The order in which a query wants its rows.
 *
 * @param columns most significant first; empty where any order will do
 * @param types the order of values of different types
 * @param needsIndex whether the query is refused if no index serves the order; the rows are sorted
 *     one page at a time otherwise
 * @param isByKey whether the first column is the whole partition key, so that the items of one key
 *     lie together in the order
 * @param byElements how arrays and objects have places in the order; absent where they all are
 *     alike there
 */
public record SortOrder(
        List<Column> columns,
        TypeOrder types,
        boolean needsIndex,
        boolean isByKey,
        Optional<ByElements> byElements) {
    public static final SortOrder NONE = new SortOrder(List.of(), TypeOrder.SQL, false);

    public SortOrder {
        columns = List.copyOf(columns);
    }

    /** An order by paths that may be any. */
    public SortOrder(List<Column> columns, TypeOrder types, boolean needsIndex) {
        this(columns, types, needsIndex, false);
    }

    /** An order in which arrays are alike, and objects. */
    public SortOrder(List<Column> columns, TypeOrder types, boolean needsIndex, boolean isByKey) {
        this(columns, types, needsIndex, isByKey, Optional.empty());
    }

    /**
     * An order in which an array has the place of one of its elements, and objects sort by their
     * contents. An index knows the places of the other values only.
     *
     * @param elsewhere no item with such an entry may be in the partition for an index to have the
     *     order
     * @param within the values at a single column that matches have, if there is no such item
     * @param mayFollowIndex false if the client names an index that has another order
     * @param tooMuch the language's number for the failure of a sort that takes too much
     */
    public record ByElements(
            List<IndexFilter.OnPath> elsewhere,
            ValueRanges within,
            boolean mayFollowIndex,
            int tooMuch) {
        public ByElements {
            elsewhere = List.copyOf(elsewhere);
        }
    }

    public boolean isEmpty() {
        return columns.isEmpty();
    }

    /** A path to sort by. */
    public record Column(IndexPath path, boolean isDescending) {}
}
