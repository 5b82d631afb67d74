package orrery.query.mongo.aggregate;

import orrery.document.Value;
import orrery.query.mongo.expression.Variables;

/**
 * What a group gathers of its documents. The state of one over some documents can be merged into
 * one over others, which come before them. Used by one thread.
 */
interface Accumulator {
    /** Takes in a document; returns the bytes of heap that this one grows by, roughly. */
    long add(Variables document);

    /** Returns all that it has gathered, to be merged. */
    Value state();

    /**
     * Takes in the state of another; returns the bytes that this one grows by.
     *
     * @throws RuntimeException for what is no state of such an accumulator
     */
    long merge(Value state);

    /** Returns what the field of the group becomes; an undefined value becomes null. */
    Value result();

    /** Makes accumulators of one field. Safe to share. */
    interface Maker {
        /**
         * @param id of the group
         */
        Accumulator make(Value id);
    }
}
