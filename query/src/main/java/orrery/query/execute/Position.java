package orrery.query.execute;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import orrery.model.Bytes;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * The progress of a query in a partition. It names places, never things that must still be there:
 * items may be gone, and others in their place, when it is taken up.
 *
 * @param order what the place is a place in
 * @param choices where the filter left several ways to find the items: those taken
 * @param branch which of the alternatives of the filter is being read
 * @param key in an order of keys the item's, in an order of entries the term, in one of results the
 *     sort key, in that of creation empty
 * @param docid of the item, where entries may share a term
 * @param rows how many of the item's rows are done; {@link #ALL_ROWS} for all
 */
record Position(Order order, List<Integer> choices, int branch, Bytes key, long docid, long rows) {
    static final long ALL_ROWS = -1;

    /** The orders in which candidates can come. */
    enum Order {
        /** By key, as items are stored. */
        ITEMS,
        /** By branch, term and docid. */
        ENTRIES,
        /** By the values of ORDER BY and docid. */
        SORTED,
        /** By docid. */
        CREATED
    }

    Position {
        choices = List.copyOf(choices);
    }

    /** Behind an item in the order of creation. */
    static Position created(long docid) {
        return new Position(Order.CREATED, List.of(), 0, Bytes.EMPTY, docid, ALL_ROWS);
    }

    boolean isBehind() {
        return rows == ALL_ROWS;
    }

    /**
     * Returns true if a token names it by its item, so that it needs another name for the case it
     * is gone.
     */
    boolean isMarked() {
        return order == Order.SORTED && KeyMark.isNeeded(key);
    }

    boolean isAtPlaceOf(Position other) {
        return branch == other.branch && docid == other.docid && key.equals(other.key);
    }

    Position atRow(long row) {
        return new Position(order, choices, branch, key, docid, row);
    }

    /** Into a token: a long sort key is named by the item. */
    void write(BinaryWriter out) {
        out.enumeration(order).list(choices, (w, choice) -> w.varint(choice)).varint(branch);
        if (order == Order.SORTED) {
            KeyMark.writeKey(out, key, docid);
        } else {
            out.bytes(key);
        }
        out.u64(docid).varint(rows + 1);
    }

    /** Empty if the item that names the sort key does not have it any more. */
    static Optional<Position> read(BinaryReader in, Function<KeyMark, Optional<Bytes>> finder) {
        Order order = in.enumeration(Order.class);
        List<Integer> choices = in.list(BinaryReader::varint32);
        int branch = in.varint32();
        Optional<Bytes> key =
                order == Order.SORTED ? KeyMark.readKey(in, finder) : Optional.of(in.bytes());
        long docid = in.u64();
        long rows = in.varint() - 1;
        return key.map(found -> new Position(order, choices, branch, found, docid, rows));
    }
}
