package orrery.gateway;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.memory.MemoryAccount;
import orrery.query.dialect.ProgramRun;
import orrery.query.evaluate.ValueHash;

/** A query over the results of another: how far both have come. */
final class DerivedState implements KeptState {
    private static final long ROW_OVERHEAD = 96;

    /**
     * A result of the outer query.
     *
     * @param hash where it wants no duplicates
     */
    record Row(Bytes text, Optional<ValueHash> hash) {
        private long heldBytes() {
            return ROW_OVERHEAD + text.length();
        }
    }

    private final ProgramRun outer;
    private final QueryFunctions.Called functions;
    private final SeenResults seen = new SeenResults();
    private final Deque<Row> waiting = new ArrayDeque<>();
    private Optional<KeptState> inner = Optional.empty();
    private QueryToken innerFrom;
    private Optional<QueryToken> innerNext;
    private Optional<GroupResults> results = Optional.empty();
    private long waitingBytes;
    private long groupBytes;
    private long taken;
    private boolean isWhole = true;

    /**
     * @param functions those that the outer query calls
     * @param innerStart where the inner query begins
     */
    DerivedState(ProgramRun outer, QueryFunctions.Called functions, QueryToken innerStart) {
        this.outer = outer;
        this.functions = functions;
        this.innerFrom = innerStart;
        this.innerNext = Optional.of(innerStart);
    }

    ProgramRun outer() {
        return outer;
    }

    QueryFunctions.Called functions() {
        return functions;
    }

    Optional<KeptState> inner() {
        return inner;
    }

    /** Returns where the inner query goes on; empty if it has ended. */
    Optional<QueryToken> innerNext() {
        return innerNext;
    }

    /**
     * A page of the inner query is being read; until {@link #innerReached} some of it is in here.
     */
    void innerBegins() {
        isWhole = false;
    }

    void innerReached(Optional<QueryToken> next, Optional<KeptState> gathered) {
        innerNext = next;
        inner = next.isPresent() ? gathered : Optional.empty();
        isWhole = true;
    }

    /** The groups of the outer query have grown. */
    void countGroups() {
        long bytes = outer.groups().sizeBytes();
        MemoryAccount.current().take(Math.max(0, bytes - groupBytes));
        groupBytes = bytes;
    }

    GroupResults results(boolean isDistinct) {
        if (results.isEmpty()) {
            results = Optional.of(new GroupResults(outer.groups().list(), isDistinct));
        }
        return results.get();
    }

    void add(Row row) {
        MemoryAccount.current().take(row.heldBytes());
        waitingBytes += row.heldBytes();
        waiting.add(row);
    }

    /** Returns the next result of the outer query that was not taken. */
    Optional<Row> peek() {
        return Optional.ofNullable(waiting.peek());
    }

    boolean isSeen(Row row) {
        return row.hash().isPresent() && seen.contains(row.hash().get());
    }

    /** Takes the result that {@link #peek} returned. */
    void take() {
        Row row = waiting.remove();
        waitingBytes -= row.heldBytes();
        MemoryAccount.current().give(row.heldBytes());
        taken++;
        row.hash().ifPresent(hash -> seen.add(hash, 0));
    }

    /** Returns the place of the inner query from which on {@link #taken} counts. */
    QueryToken innerFrom() {
        return innerFrom;
    }

    /** Begins to count at the place that the inner query has reached. */
    void countFromHere() {
        innerFrom = innerNext.orElseThrow();
        taken = 0;
    }

    /** Returns true if it counts from this place and has not gone beyond so many results. */
    boolean isBehind(Bytes place, long results) {
        return taken <= results && innerFrom.encode().equals(place);
    }

    /** Returns the number of results that were taken. */
    long taken() {
        return taken;
    }

    @Override
    public boolean isWhole() {
        return isWhole;
    }

    @Override
    public long sizeBytes() {
        return seen.sizeBytes()
                + waitingBytes
                + groupBytes
                + inner.map(KeptState::sizeBytes).orElse(0L)
                + results.map(GroupResults::sizeBytes).orElse(0L);
    }
}
