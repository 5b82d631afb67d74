package orrery.query.execute;

import java.util.function.LongSupplier;
import java.util.function.Supplier;
import orrery.model.Cancellation;
import orrery.model.memory.MemoryAccount;
import orrery.query.dialect.Effort;
import orrery.query.dialect.RowWatcher;

/**
 * Counts the work of a page and says when it is enough. Work is counted, not timed, so that the
 * same query costs the same; the clock only guards against a page that holds its snapshot for too
 * long.
 */
final class PageWork implements RowWatcher {
    private static final int ENTRIES_PER_LOOK_AT_THE_CLOCK = 256;

    private static final long TURN_NANOS = 5_000_000;

    private final long maxEntries;
    private final int maxDocuments;
    private final LongSupplier nanoTime;
    private final long deadlineNanos;

    private long entries;
    private long rows;
    private int documents;
    private long documentBytes;
    private long matches;
    private boolean isLate;
    private final Cancellation cancellation = Cancellation.current();
    private final MemoryAccount.Part memory = MemoryAccount.current().part();
    private final MemoryAccount.Part ofRow = MemoryAccount.current().part();
    private final MemoryAccount.Part ahead = MemoryAccount.current().part();
    private final MemoryAccount.Part gathered = MemoryAccount.current().part();
    private final Effort effort = new Effort();
    private final Turn turn = new Turn();
    private long turnBeganNanos;

    /** Work of one piece that did not count against the page. */
    private long freeEntries;

    private long freeRows;
    private int freeDocuments;
    private boolean mustFinish;

    PageWork(PageLimits limits, LongSupplier nanoTime) {
        this.maxEntries = limits.maxEntries();
        this.maxDocuments = limits.maxDocuments();
        this.nanoTime = nanoTime;
        this.turnBeganNanos = nanoTime.getAsLong();
        this.deadlineNanos = turnBeganNanos + limits.maxTime().toNanos();
        effort.watchedBy(this);
    }

    /** Counts what is computed for the page. */
    Effort effort() {
        return effort;
    }

    void entry() {
        entries++;
        lookAtTheClock(entries);
    }

    void row() {
        rows++;
        lookAtTheClock(rows);
    }

    void document(int bytes) {
        documents++;
        documentBytes += bytes;
        lookAtTheClock(documents * 16L);
    }

    /** An item has at least one row that the filter accepts. */
    void match() {
        matches++;
    }

    private void lookAtTheClock(long count) {
        if (count % ENTRIES_PER_LOOK_AT_THE_CLOCK == 0) {
            lookAtTheClock();
        }
    }

    @Override
    public void pause() {
        lookAtTheClock();
    }

    @Override
    public void holds(long bytes) {
        ofRow.makeRoom(bytes);
    }

    /** Waits for another turn if this one has been long. Throws TIMEOUT if nobody waits. */
    private void lookAtTheClock() {
        cancellation.check();
        long now = nanoTime.getAsLong();
        isLate = isLate || now - deadlineNanos > 0;
        if (now - turnBeganNanos > TURN_NANOS) {
            turn.next();
            turnBeganNanos = nanoTime.getAsLong();
        }
    }

    /** Returns the account from which the page takes its memory. */
    MemoryAccount.Part memory() {
        return memory;
    }

    /** Returns the account of what the rows of the page are gathered in. */
    MemoryAccount.Part gathered() {
        return gathered;
    }

    /** Items of so many bytes together were read before they are needed. */
    void readAhead(long bytes) {
        ahead.makeRoom(bytes);
    }

    /** Nothing more is computed for this page. */
    void end() {
        turn.end();
        memory.close();
        ofRow.close();
        ahead.close();
        gathered.close();
    }

    /** Returns true if the page should end. */
    boolean isEnough() {
        return isLate
                || (!mustFinish
                        && (entries - freeEntries >= maxEntries
                                || rows - freeRows >= maxEntries
                                || documents - freeDocuments >= maxDocuments));
    }

    /** From here to {@link #mayPause} the work is of one piece: only the clock ends it. */
    void mustFinish() {
        mustFinish = true;
    }

    /** Does work of one piece, within a page that may be of one piece as a whole. */
    <T> T whole(Supplier<T> task) {
        boolean isPart = mustFinish;
        mustFinish = true;
        T result = task.get();
        if (!isPart) {
            mayPause();
        }
        return result;
    }

    void mayPause() {
        mustFinish = false;
        freeEntries = entries;
        freeRows = rows;
        freeDocuments = documents;
    }

    /** Looks at the clock for work that is counted elsewhere; false if the page is late. */
    boolean mayGoOn() {
        lookAtTheClock();
        return !isLate;
    }

    /** Returns true if even work that cannot be cut in two must stop. */
    boolean isLate() {
        return isLate;
    }

    long entries() {
        return entries;
    }

    int documents() {
        return documents;
    }

    long documentBytes() {
        return documentBytes;
    }

    long matches() {
        return matches;
    }
}
