package orrery.query.execute;

import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The time of a page, in nanoseconds, by its use. The time that is not named here went into
 * evaluating the query on loaded items.
 *
 * @param parse from text to a syntax tree
 * @param prepare from there to something that can run
 * @param choose choosing among the indexes
 * @param index walking over index entries
 * @param load reading items
 * @param write printing results
 * @param total everything
 */
public record QueryTimes(
        long parse, long prepare, long choose, long index, long load, long write, long total) {
    public static final QueryTimes NONE = new QueryTimes(0, 0, 0, 0, 0, 0, 0);

    /** Adds the times up, as if one piece of work had followed the other. */
    public QueryTimes plus(QueryTimes other) {
        return new QueryTimes(
                parse + other.parse,
                prepare + other.prepare,
                choose + other.choose,
                index + other.index,
                load + other.load,
                write + other.write,
                total + other.total);
    }

    /** Adds the times that only the caller of an execution knows. */
    public QueryTimes within(long newParse, long newPrepare, long newTotal) {
        return new QueryTimes(newParse, newPrepare, choose, index, load, write, newTotal);
    }

    public void write(BinaryWriter out) {
        out.varint(parse).varint(prepare).varint(choose);
        out.varint(index).varint(load).varint(write).varint(total);
    }

    public static QueryTimes read(BinaryReader in) {
        return new QueryTimes(
                in.varint(),
                in.varint(),
                in.varint(),
                in.varint(),
                in.varint(),
                in.varint(),
                in.varint());
    }
}
