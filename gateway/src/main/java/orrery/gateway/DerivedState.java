package orrery.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.model.memory.MemoryAccount;
import orrery.query.dialect.ProgramRun;

/** A query over the results of another: how far both have come. */
final class DerivedState implements KeptState {
    private final ProgramRun outer;
    private final QueryFunctions.Called functions;
    private final SeenResults seen = new SeenResults();
    private final OuterRows rows;
    private Optional<KeptState> inner = Optional.empty();
    private QueryToken innerFrom;
    private Optional<QueryToken> innerNext;
    private Optional<GroupResults> results = Optional.empty();
    private Optional<Recall> recall = Optional.empty();
    private long groupBytes;
    private boolean isWhole = true;

    /**
     * @param functions those that the outer query calls
     * @param place from which on it gives results
     */
    DerivedState(ProgramRun outer, QueryFunctions.Called functions, DerivedPlace place) {
        this.outer = outer;
        this.functions = functions;
        this.innerFrom = place.inner();
        this.innerNext = Optional.of(place.inner());
        this.rows = new OuterRows(place.taken());
    }

    /** The results that were given before the place where it begins are being found out again. */
    static final class Recall {
        private final DerivedPlace place;
        private final List<DerivedPlace.Taken> unmet;
        private Optional<QueryToken> next;
        private boolean hasAllBefore;

        private Recall(DerivedPlace place) {
            this.place = place;
            this.unmet = new ArrayList<>(place.taken());
            this.next = Optional.of(place.inner());
        }

        DerivedPlace place() {
            return place;
        }

        /** Returns true if everything that comes of inner results before the place is known. */
        boolean hasAllBefore() {
            return hasAllBefore;
        }

        void setAllBefore() {
            hasAllBefore = true;
        }

        /** Returns the inner results behind the place that are still to be found. */
        List<DerivedPlace.Taken> unmet() {
            return unmet;
        }

        /** Returns where they are to be looked for; empty at the end of the inner query. */
        Optional<QueryToken> next() {
            return next;
        }

        void lookedUpTo(Optional<QueryToken> reached) {
            next = reached;
        }
    }

    /** It has to know what was given before the place where it begins. */
    void beginRecall(DerivedPlace place) {
        recall = Optional.of(new Recall(place));
    }

    /** Returns what it still has to find out. */
    Optional<Recall> recall() {
        return recall;
    }

    void endRecall() {
        recall = Optional.empty();
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

    SeenResults seen() {
        return seen;
    }

    OuterRows rows() {
        return rows;
    }

    /** Returns where the inner query goes on; empty if it has ended. */
    Optional<QueryToken> innerNext() {
        return innerNext;
    }

    /**
     * A page of the inner query is being taken; until {@link #innerReached} or {@link #innerHas}
     * some of it is in here.
     */
    void innerBegins() {
        isWhole = false;
    }

    void innerReached(Optional<QueryToken> next, Optional<KeptState> gathered) {
        innerFrom = innerNext.orElseThrow();
        innerNext = next;
        inner = next.isPresent() ? gathered : Optional.empty();
        isWhole = true;
    }

    /** The inner query has gathered something. */
    void innerHas(Optional<KeptState> gathered) {
        inner = gathered;
        isWhole = true;
    }

    /** Goes back to before the last page of the inner query, of which no row was taken. */
    void undoPage() {
        innerNext = Optional.of(innerFrom);
        rows.undoPage();
    }

    /** Returns how far it has come. Only while results are left. */
    DerivedPlace place() {
        if (recall.isPresent()) {
            return recall.get().place();
        }
        return rows.peek().isPresent()
                ? new DerivedPlace(innerFrom, rows.taken())
                : new DerivedPlace(innerNext.orElseThrow(), rows.unmet());
    }

    /** Returns true if it has come as far as this, and no further. */
    boolean isAt(DerivedPlace other) {
        boolean isLeft = rows.peek().isPresent() || innerNext.isPresent();
        return isLeft && place().encode().equals(other.encode());
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

    @Override
    public boolean isWhole() {
        return isWhole;
    }

    @Override
    public long sizeBytes() {
        return seen.sizeBytes()
                + rows.sizeBytes()
                + groupBytes
                + inner.map(KeptState::sizeBytes).orElse(0L)
                + results.map(GroupResults::sizeBytes).orElse(0L);
    }
}
