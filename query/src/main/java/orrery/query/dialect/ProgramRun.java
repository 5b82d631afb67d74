package orrery.query.dialect;

import java.util.List;
import java.util.Optional;
import orrery.document.Value;
import orrery.model.Item;

/**
 * A run of a {@link Program}. It stands at one row of one item at a time. One thread uses it.
 *
 * <p>Rows come before the filter, so that the engine can count each as work and stop between any
 * two.
 */
public interface ProgramRun {
    /**
     * Returns false for an item that has one row, which the filter does not accept. It is asked
     * before the item is read, so that this need not be done: a run that cannot tell returns true.
     */
    default boolean mayMatch(Item item) {
        return true;
    }

    /**
     * Goes to an item, before its first row.
     *
     * @param item the properties that the query reads; undefined for a query that reads no items
     */
    void open(Value item);

    /** Returns true if the item has another row. */
    boolean hasNext();

    /** Goes to the next row. */
    void next();

    /** Returns true if the filter accepts the present row. */
    boolean matches();

    /**
     * Returns the result that the present row becomes; empty where it has none. Only for queries
     * that do not group.
     */
    Optional<Value> result();

    /** Returns the values that the query sorts the present row by, one for each column. */
    List<Value> sortValues();

    /** Returns the groups of this run. Only for queries that group. */
    GroupTable groups();
}
