package orrery.query.execute;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.query.index.IndexUse;

/**
 * The work of a page of a query, for the client that asks.
 *
 * @param documents items loaded
 * @param documentBytes their size
 * @param matches those of them that the filter accepted
 * @param entries index entries looked at
 * @param rows results
 * @param rowBytes their size
 * @param isBackward whether the order was read from its end, so that ties come in falling order
 */
public record QueryMetrics(
        long documents,
        long documentBytes,
        long matches,
        long entries,
        long rows,
        long rowBytes,
        boolean isBackward,
        QueryTimes times,
        IndexUse indexes) {
    public static final QueryMetrics NONE =
            new QueryMetrics(0, 0, 0, 0, 0, 0, false, QueryTimes.NONE, IndexUse.NONE);

    /** Adds up both pieces of work. */
    public QueryMetrics plus(QueryMetrics other) {
        return new QueryMetrics(
                documents + other.documents,
                documentBytes + other.documentBytes,
                matches + other.matches,
                entries + other.entries,
                rows + other.rows,
                rowBytes + other.rowBytes,
                isBackward || other.isBackward,
                times.plus(other.times),
                indexes.plus(other.indexes));
    }

    /** Counts the results that are left when those of several partitions are put together. */
    public QueryMetrics returning(long newRows, long newRowBytes) {
        return new QueryMetrics(
                documents,
                documentBytes,
                matches,
                entries,
                newRows,
                newRowBytes,
                isBackward,
                times,
                indexes);
    }

    /** Adds indexes that partitions do not know of. */
    public QueryMetrics using(IndexUse more) {
        return new QueryMetrics(
                documents,
                documentBytes,
                matches,
                entries,
                rows,
                rowBytes,
                isBackward,
                times,
                more.plus(indexes));
    }

    public QueryMetrics timed(QueryTimes newTimes) {
        return new QueryMetrics(
                documents,
                documentBytes,
                matches,
                entries,
                rows,
                rowBytes,
                isBackward,
                newTimes,
                indexes);
    }

    public void write(BinaryWriter out) {
        out.varint(documents).varint(documentBytes).varint(matches).varint(entries);
        out.varint(rows).varint(rowBytes).bool(isBackward);
        times.write(out);
        indexes.write(out);
    }

    public static QueryMetrics read(BinaryReader in) {
        return new QueryMetrics(
                in.varint(),
                in.varint(),
                in.varint(),
                in.varint(),
                in.varint(),
                in.varint(),
                in.bool(),
                QueryTimes.read(in),
                IndexUse.read(in));
    }
}
