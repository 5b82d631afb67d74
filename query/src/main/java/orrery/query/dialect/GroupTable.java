package orrery.query.dialect;

import java.util.Iterator;
import orrery.document.Value;
import orrery.model.Bytes;

/**
 * The groups that a run has gathered, with the state of their accumulators. The state of each group
 * can be saved between two rows and merged into another run of the same query. This is how a run
 * goes on over pages, and how the parts of several partitions become one answer.
 */
public interface GroupTable {
    /** Takes in the present row of the run, which the filter has accepted. */
    void add();

    int size();

    /** Returns the heap that all groups take, roughly. */
    long sizeBytes();

    /** Returns the state of each group. The groups must not change meanwhile. */
    Iterator<Bytes> states();

    /**
     * Adds the state of one group of another run of the same query, as if its rows came after those
     * seen so far. Fails with MalformedRecordException for what is no such state.
     */
    void merge(Bytes state);

    /** Returns the result of each group that has one. The groups must not change meanwhile. */
    Iterator<Value> results();

    /** Returns the groups in the order of a whole answer. They must not change any more. */
    GroupList list();
}
