package orrery.replication;

import java.util.List;

/** The state that a log drives. The same entries give the same state on every replica. */
public interface StateMachine<C, O> {
    /** Position of the last entry that was prepared. */
    long appliedPosition();

    /**
     * Works out what an entry does; nobody sees any of it before it is committed. The next entry
     * may be prepared meanwhile, on top of this one; the one after that may not. Once an entry
     * could not be committed the machine is of no further use.
     */
    Prepared<O> prepare(long position, List<C> commands);

    /** The feature level of the next entry to prepare. Machines that have no others have this. */
    default int level() {
        return 1;
    }

    /** Returns true if an entry may be prepared only when all before it are committed. */
    default boolean readsCommitted(List<C> commands) {
        return false;
    }

    /** One entry, ready to be written. */
    interface Prepared<O> extends AutoCloseable {
        List<O> outcomes();

        /**
         * Makes all effects and the position visible together. Entries are committed in order.
         *
         * @param durable the effects must be on disk before this returns, because there is no other
         *     copy of the entry
         */
        void commit(boolean durable);

        @Override
        void close();
    }
}
