package orrery.replication;

import java.util.List;

/** What a log drives: the same entries give the same state on every replica. */
public interface StateMachine<C, O> {
    /** Position of the last entry whose effects are in the store. */
    long appliedPosition();

    /**
     * Carries out one entry as a whole: all of its effects and its position become visible
     * together.
     *
     * @param durable the effects must be on disk before this returns, because there is no other
     *     copy of the entry
     */
    List<O> apply(long position, List<C> commands, boolean durable);
}
