package orrery.query.dialect;

import java.util.Iterator;
import orrery.document.Value;

/**
 * The groups that a run has gathered, with the state of their accumulators. The state can be saved
 * between two rows and merged into that of another run of the same query. This is how a run goes on
 * over pages, and how the parts of several partitions become one answer.
 */
public interface GroupTable {
    /** Takes in the present row of the run, which the filter has accepted. */
    void add();

    int size();

    /** Returns the heap that all groups take, roughly. */
    long sizeBytes();

    /** Returns the state as a value that JSON can write. */
    Value save();

    /**
     * Adds what another run of the same query saved, as if its rows came after those seen so far.
     * Fails with IllegalArgumentException for what no run of this query saved.
     */
    void merge(Value saved);

    /** Returns the result of each group that has one. The groups must not change meanwhile. */
    Iterator<Value> results();
}
