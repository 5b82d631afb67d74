package orrery.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import orrery.model.Bytes;
import orrery.model.memory.MemoryAccount;
import orrery.partition.api.ReadRequest;
import orrery.query.evaluate.ValueHash;

/** The rows of a page of an answer, up to its limits. It holds their memory until it is closed. */
final class AnswerPage implements AutoCloseable {
    private final int maxRows;
    private final boolean hasNames;
    private final List<ValueHash> names = new ArrayList<>();
    private final MemoryAccount account = MemoryAccount.current();
    private final List<Bytes> rows = new ArrayList<>();
    private long bytes;
    private long held;

    AnswerPage(int maxRows) {
        this(maxRows, false);
    }

    private AnswerPage(int maxRows, boolean hasNames) {
        this.maxRows = maxRows;
        this.hasNames = hasNames;
    }

    /** A page of results that another query takes, so that they need names. */
    static AnswerPage ofInner(int maxRows) {
        return new AnswerPage(maxRows, true);
    }

    List<Bytes> rows() {
        return rows;
    }

    /**
     * Returns a name for each row of an inner page. A group has that of what it is grouped by, any
     * other result that of its value, so equal ones may share it.
     */
    List<ValueHash> names() {
        return names;
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
    boolean appendIfRoom(Bytes row, Supplier<ValueHash> name) {
        boolean fits =
                rows.size() < maxRows
                        && (rows.isEmpty() || bytes + row.length() <= ReadRequest.MAX_PAGE_BYTES);
        if (fits) {
            append(row, name);
        }
        return fits;
    }

    /** Appends a row that was asked for with the room that is left. */
    void append(Bytes row, Supplier<ValueHash> name) {
        long needed = QueryJob.heldBytes(row);
        account.take(needed);
        held += needed;
        rows.add(row);
        if (hasNames) {
            names.add(name.get());
        }
        bytes += row.length();
    }

    @Override
    public void close() {
        account.give(held);
        held = 0;
    }
}
