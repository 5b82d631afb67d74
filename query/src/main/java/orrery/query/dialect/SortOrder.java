package orrery.query.dialect;

import java.util.List;
import orrery.document.IndexPath;
import orrery.document.TypeOrder;

/**
 * The order in which a query wants its rows.
 *
 * @param columns most significant first; empty where any order will do
 * @param types the order of values of different types
 * @param needsIndex whether the query is refused if no index serves the order; the rows are sorted
 *     one page at a time otherwise
 * @param isByKey whether the first column is the whole partition key, so that the items of one key
 *     lie together in the order
 */
public record SortOrder(
        List<Column> columns, TypeOrder types, boolean needsIndex, boolean isByKey) {
    public static final SortOrder NONE = new SortOrder(List.of(), TypeOrder.SQL, false);

    public SortOrder {
        columns = List.copyOf(columns);
    }

    /** An order by paths that may be any. */
    public SortOrder(List<Column> columns, TypeOrder types, boolean needsIndex) {
        this(columns, types, needsIndex, false);
    }

    public boolean isEmpty() {
        return columns.isEmpty();
    }

    /** A path to sort by. */
    public record Column(IndexPath path, boolean isDescending) {}
}
