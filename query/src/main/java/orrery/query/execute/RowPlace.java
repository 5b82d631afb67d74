package orrery.query.execute;

import java.util.List;
import orrery.model.Bytes;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The place of a row in the order of its query, comparable between partitions.
 *
 * @param key the values of ORDER BY as bytes that sort as they do
 * @param docid of its item
 * @param rows of the item up to and with this one; {@link #ALL_ROWS} if it is the last
 */
public record RowPlace(Bytes key, long docid, long rows) {
    public static final long ALL_ROWS = Position.ALL_ROWS;

    private static final long LOWEST = 0;
    private static final long HIGHEST = -1;

    /** Before every row with these values. */
    public static RowPlace before(Bytes key, boolean isBackward) {
        return new RowPlace(key, isBackward ? HIGHEST : LOWEST, 0);
    }

    /** Behind every row with these values. */
    public static RowPlace behind(Bytes key, boolean isBackward) {
        return new RowPlace(key, isBackward ? LOWEST : HIGHEST, ALL_ROWS);
    }

    /** The same row, not yet given. */
    public RowPlace beforeRow() {
        return new RowPlace(key, docid, rows == ALL_ROWS ? 0 : rows - 1);
    }

    static RowPlace of(Position position) {
        return new RowPlace(position.key(), position.docid(), position.rows());
    }

    Position position() {
        return new Position(Position.Order.SORTED, List.of(), 0, key, docid, rows);
    }

    public void write(BinaryWriter out) {
        out.bytes(key).u64(docid).varint(rows + 1);
    }

    public static RowPlace read(BinaryReader in) {
        return new RowPlace(in.bytes(), in.u64(), in.varint() - 1);
    }
}
