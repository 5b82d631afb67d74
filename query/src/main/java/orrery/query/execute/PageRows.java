package orrery.query.execute;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.memory.MemoryAccount;

/** The results of a page, up to its limits. */
final class PageRows {
    /** The heap that a row takes besides its text and, if sorted, its place. */
    private static final long ROW_OVERHEAD = 64;

    private final PageLimits limits;
    private final MemoryAccount.Part memory;
    private final List<Bytes> rows = new ArrayList<>();
    private final List<RowPlace> places = new ArrayList<>();
    private long bytes;
    private long placeBytes;

    PageRows(PageLimits limits, MemoryAccount.Part memory) {
        this.limits = limits;
        this.memory = memory;
    }

    boolean isFull() {
        return rows.size() >= limits.maxRows() || bytes + placeBytes >= limits.maxBytes();
    }

    int maxRowBytes() {
        return limits.maxRowBytes();
    }

    /** False, and nothing happens, if there is no room for it. */
    boolean add(Bytes row) {
        return add(row, Optional.empty());
    }

    boolean add(Bytes row, Optional<RowPlace> place) {
        int placed = place.map(each -> each.key().length()).orElse(0);
        if (isFull()
                || (!rows.isEmpty()
                        && bytes + placeBytes + row.length() + placed > limits.maxBytes())) {
            return false;
        }
        if (row.length() > limits.maxRowBytes()) {
            throw new OrreryException(
                    ErrorCode.TOO_LARGE,
                    "Response size is too large: one result of the query exceeds the size of a"
                            + " page.");
        }
        memory.take(row.length() + ROW_OVERHEAD);
        place.ifPresent(where -> memory.take(where.key().length() + ROW_OVERHEAD));
        rows.add(row);
        place.ifPresent(places::add);
        placeBytes += placed;
        bytes += row.length();
        return true;
    }

    long bytes() {
        return bytes;
    }

    /** Returns the place of each row, if the places were asked for. */
    List<RowPlace> places() {
        return places;
    }

    List<Bytes> rows() {
        return rows;
    }
}
