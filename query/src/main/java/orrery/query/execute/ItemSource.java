package orrery.query.execute;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import orrery.document.IndexPath;
import orrery.model.Bytes;
import orrery.model.Item;

/**
 * The items of one partition as of one moment, and their index entries, as far as a query may see
 * them. The caller closes the cursors.
 */
public interface ItemSource {
    /** Entries with {@code from <= term < to}, by term and docid, or the other way round. */
    EntryCursor entries(Bytes from, Bytes to, boolean isBackward);

    /**
     * The same entries forwards, and those that {@link #entries} passes over because their items
     * are not in this source: all that a walk costs.
     */
    default EntryCursor walkedEntries(Bytes from, Bytes to) {
        return entries(from, to, false);
    }

    /** Returns true if an item that an entry leads to may be in this source. */
    default boolean mayHold(Bytes key) {
        return true;
    }

    /**
     * Returns true if every item of this source has one entry with this term, and no other item has
     * any. False where that is not known.
     */
    default boolean isOfEveryItem(Bytes term) {
        return false;
    }

    /**
     * Returns a count of index entries, which may be one that was made before.
     *
     * @param what is counted, by which the same count is known again
     */
    default int counted(Object what, IntSupplier count) {
        return count.getAsInt();
    }

    /** Items in the order of their keys, from this one on, or only those behind it. */
    ItemCursor items(Bytes from, boolean isInclusive);

    /**
     * Items in the order of their creation, which is that of their docids, from this one on.
     *
     * @param wanted how many may be of use
     */
    ItemCursor created(long docid, long wanted);

    /** The items at these places, in this order; those that are gone are passed over. */
    ItemCursor at(List<Place> places, long wanted);

    /** An item that an index entry leads to. */
    record Place(long docid, Bytes key) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            return Long.compareUnsigned(docid, other.docid);
        }
    }

    /** The item that an index entry leads to. */
    Item load(Bytes key);

    /** Several of them, in the order of the keys. */
    default List<Item> load(List<Bytes> keys) {
        return keys.stream().map(this::load).toList();
    }

    /** Returns the number of items, if it is known exactly. */
    OptionalLong size();

    /** About how many items have their entries among those that are walked over. */
    long total();

    /**
     * The docids of the items without a value at a path of properties, in rising order, if they are
     * known and few. Some may have one by now, or be gone; none is missing.
     *
     * @param mayGoOn asked from time to time; when it says no, the docids are not known for now
     */
    default Optional<long[]> without(IndexPath path, BooleanSupplier mayGoOn) {
        return Optional.empty();
    }

    /** The term that every item has once, and no other value with it. */
    Bytes everyItem();

    /** Walks index entries. */
    interface EntryCursor extends AutoCloseable {
        boolean next();

        /** To the first entry, in the direction of the walk, not before this one. */
        boolean seek(Bytes term, long docid);

        /** Holds the term between {@link #termStart} and {@link #termEnd}; not to be written to. */
        byte[] row();

        int termStart();

        int termEnd();

        long docid();

        /** The key of the item. */
        Bytes key();

        default Bytes term() {
            return Bytes.copyOf(row(), termStart(), termEnd() - termStart());
        }

        @Override
        void close();
    }

    /** Walks items. */
    interface ItemCursor extends AutoCloseable {
        boolean next();

        Bytes key();

        Item item();

        @Override
        void close();
    }
}
