package orrery.query.evaluate;

import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import orrery.document.HeapSize;
import orrery.document.Value;
import orrery.query.dialect.Effort;
import orrery.query.syntax.QueryError;

/**
 * One row: the item it came from and what each source bound to its alias. A source adds its own
 * binding in front of those it found.
 *
 * <p>Immutable, but for the count of work that was done for this item. Rows of one item therefore
 * stay on one thread.
 */
public final class Bindings {
    /**
     * In characters looked at and the like: a second or two. A page can end between two rows, but
     * not inside of one, so this is what keeps a single row from holding the thread.
     */
    static final long MAX_WORK = 2_000_000_000;

    /** The least work of a row of a subquery, so that there are at most four million rows. */
    private static final long WORK_OF_ROW = 500;

    /** The work of a turn of a loop, which may lead to no row at all. */
    private static final long WORK_OF_STEP = 20;

    /** The work of a value that a subquery keeps in memory: half a million of them are enough. */
    private static final long WORK_OF_KEEPING = 4000;

    /** Bytes of a row that computes nothing large; they are not reported. */
    private static final long HARMLESS_BYTES = 16 << 10;

    private final Origin origin;
    private final @Nullable Bindings rest;
    private final String alias;
    private final Value value;

    /** State that all rows of one item share. */
    private static final class Origin {
        private final Value item;
        private final long maxWork;
        private final @Nullable Effort effort;
        private long innerRows;
        private long heldBytes;
        private long work;

        /** Computed properties that were asked for; null until one is. */
        private @Nullable IdentityHashMap<CompiledProperty, Value> computed;

        private Origin(Value item, long maxWork, @Nullable Effort effort) {
            this.item = item;
            this.maxWork = maxWork;
            this.effort = effort;
        }
    }

    private Bindings(Origin origin, @Nullable Bindings rest, String alias, Value value) {
        this.origin = origin;
        this.rest = rest;
        this.alias = alias;
        this.value = value;
    }

    /** The row of a query without FROM. */
    public static Bindings empty() {
        return of(Value.Undefined.UNDEFINED);
    }

    /** A row in which no alias is bound yet. */
    public static Bindings of(Value item) {
        return of(new Origin(item, MAX_WORK, null));
    }

    /** Like {@link #of(Value)}, but may not take more work than this. */
    static Bindings within(Value item, long maxWork) {
        return of(new Origin(item, maxWork, null));
    }

    /**
     * @param effort counts all that is done for the item
     */
    public static Bindings of(Value item, Effort effort) {
        return of(new Origin(item, MAX_WORK, effort));
    }

    private static Bindings of(Origin origin) {
        return new Bindings(origin, null, "", Value.Undefined.UNDEFINED);
    }

    public Bindings with(String newAlias, Value newValue) {
        return new Bindings(origin, this, newAlias, newValue);
    }

    /**
     * Returns the number of rows that subqueries have made for this item so far: work that a charge
     * may reflect.
     */
    public long innerRows() {
        return origin.innerRows;
    }

    /** Each row of an item may take as much work as the first: a page can end between two. */
    void forgetWork() {
        origin.work = 0;
        origin.heldBytes = 0;
    }

    void countInnerRow() {
        origin.innerRows++;
        countWork(WORK_OF_ROW);
    }

    void countStep() {
        countWork(WORK_OF_STEP);
    }

    /** Counts the operands of a list that were evaluated. Other expressions have few of them. */
    void countOperands(int operands) {
        countWork(WORK_OF_STEP * operands);
    }

    void countKept(Value value) {
        countWork(WORK_OF_KEEPING);
        hold(HeapSize.of(value));
    }

    /** Counts the result of an operation if it is large. */
    void countMade(Value value) {
        switch (value) {
            case Value.Text(String text) when text.length() > HARMLESS_BYTES ->
                    hold(2L * text.length());
            case Value.Array(List<Value> elements) when elements.size() > HARMLESS_BYTES ->
                    hold(HeapSize.of(value));
            default -> {}
        }
    }

    private void hold(long bytes) {
        origin.heldBytes += bytes;
        if (origin.heldBytes > HARMLESS_BYTES && origin.effort != null) {
            origin.effort.holds(origin.heldBytes);
        }
    }

    /** Returns the work of this row and of the loops that led to it. */
    long work() {
        return origin.work;
    }

    void countWork(long steps) {
        origin.work += steps;
        if (origin.work > origin.maxWork || steps < 0) {
            throw QueryError.engine(
                    "The query takes too much work for a single item. Its subqueries made "
                            + origin.innerRows
                            + " rows.");
        }
        if (origin.effort != null) {
            origin.effort.add(steps);
        }
    }

    public Value item() {
        return origin.item;
    }

    /**
     * The value of a computed property, made once for all rows of the item.
     *
     * @param base whose property is meant; null if it is not the item's own
     */
    @Nullable Value computed(Value base, CompiledProperty property) {
        if (base != origin.item || !(base instanceof Value.Obj item)) {
            return null;
        }
        if (origin.computed == null) {
            origin.computed = new IdentityHashMap<>();
        }
        Value known = origin.computed.get(property);
        if (known == null) {
            known = property.of(item, this);
            origin.computed.put(property, known);
        }
        return known;
    }

    /** The innermost binding of that alias. */
    Value get(String wanted) {
        // A query has eleven sources at most, so walking is cheaper than hashing.
        for (Bindings row = this; row != null; row = row.rest) {
            if (row.alias.equals(wanted)) {
                return row.value;
            }
        }
        throw new IllegalStateException("the parser let an unknown alias pass");
    }
}
