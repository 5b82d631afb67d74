package orrery.gateway;

import java.util.ArrayList;
import java.util.List;
import orrery.model.Bytes;
import orrery.model.memory.MemoryAccount;
import orrery.partition.api.ReadRequest;

/** The rows of a page of an answer, up to its limits. It holds their memory until it is closed. */
final class AnswerPage implements AutoCloseable {
    private final int maxRows;
    private final MemoryAccount account = MemoryAccount.current();
    private final List<Bytes> rows = new ArrayList<>();
    private long bytes;
    private long held;

    AnswerPage(int maxRows) {
        this.maxRows = maxRows;
    }

    List<Bytes> rows() {
        return rows;
    }

    boolean isFull() {
        return rows.size() >= maxRows || bytes >= ReadRequest.MAX_PAGE_BYTES;
    }

    /** Returns the number of rows that it has room for. */
    int room() {
        return maxRows - rows.size();
    }

    int roomBytes() {
        return (int) Math.max(1, ReadRequest.MAX_PAGE_BYTES - bytes);
    }

    /** False if the page has no room for it. */
    boolean appendIfRoom(Bytes row) {
        boolean fits =
                rows.size() < maxRows
                        && (rows.isEmpty() || bytes + row.length() <= ReadRequest.MAX_PAGE_BYTES);
        if (fits) {
            append(row);
        }
        return fits;
    }

    /** Appends a row that was asked for with the room that is left. */
    void append(Bytes row) {
        long needed = QueryJob.heldBytes(row);
        account.take(needed);
        held += needed;
        rows.add(row);
        bytes += row.length();
    }

    @Override
    public void close() {
        account.give(held);
        held = 0;
    }
}
