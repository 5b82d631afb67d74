package orrery.query.execute;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.memory.MemoryAccount;
import orrery.query.evaluate.ValueHash;

/** The results of a page, up to its limits. */
final class PageRows {
    /** The heap that a row takes besides its text and, if sorted, its place. */
    private static final long ROW_OVERHEAD = 64;

    private static final int HASH_BYTES = 2 * Long.BYTES;

    private final PageLimits limits;
    private final MemoryAccount.Part memory;

    /** Memory of what the page is made from, which grows while the rows are found. */
    private final MemoryAccount.Part gathered;

    private final List<Bytes> rows = new ArrayList<>();
    private final List<RowPlace> places = new ArrayList<>();
    private final List<ValueHash> hashes = new ArrayList<>();
    private long bytes;
    private long besideBytes;

    PageRows(PageLimits limits, PageWork work) {
        this.limits = limits;
        this.memory = work.memory();
        this.gathered = work.gathered();
    }

    boolean isFull() {
        return rows.size() >= limits.maxRows() || bytes + besideBytes >= limits.maxBytes();
    }

    int maxRows() {
        return limits.maxRows();
    }

    int maxBytes() {
        return limits.maxBytes();
    }

    /** Tells how many bytes the gathered rows take in all. */
    void makeRoom(long gatheredBytes) {
        gathered.makeRoom(gatheredBytes);
    }

    /**
     * False, and nothing happens, if there is no room for it.
     *
     * @param place if places were asked for
     * @param hash if hashes were asked for
     */
    boolean add(Bytes row, Optional<RowPlace> place, Optional<ValueHash> hash) {
        int beside =
                place.map(each -> each.key().length()).orElse(0)
                        + hash.map(_ -> HASH_BYTES).orElse(0);
        if (isFull()
                || (!rows.isEmpty()
                        && bytes + besideBytes + row.length() + beside > limits.maxBytes())) {
            return false;
        }
        addWhole(row);
        place.ifPresent(
                where -> {
                    memory.take(where.key().length() + ROW_OVERHEAD);
                    places.add(where);
                });
        hash.ifPresent(
                each -> {
                    memory.take(ROW_OVERHEAD);
                    hashes.add(each);
                });
        besideBytes += beside;
        return true;
    }

    /** Adds a row that belongs to what was read, so that no other page can have it. */
    void addWhole(Bytes row) {
        if (row.length() > limits.maxRowBytes()) {
            throw new OrreryException(
                    ErrorCode.TOO_LARGE,
                    "Response size is too large: one result of the query exceeds the size of a"
                            + " page.");
        }
        memory.take(row.length() + ROW_OVERHEAD);
        rows.add(row);
        bytes += row.length();
    }

    long bytes() {
        return bytes;
    }

    /** Returns the place of each row, if the places were asked for. */
    List<RowPlace> places() {
        return places;
    }

    /** Returns the hash of each row, if the hashes were asked for. */
    List<ValueHash> hashes() {
        return hashes;
    }

    List<Bytes> rows() {
        return rows;
    }
}
