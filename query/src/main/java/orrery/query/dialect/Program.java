package orrery.query.dialect;

import orrery.model.Bytes;
import orrery.model.Encoding;

/**
 * One query of some language, made ready to run: its parameters are bound and its expressions
 * compiled. Safe to share between threads, because all that changes is in its runs.
 */
public interface Program {
    /** The length of a {@link #binding}. */
    int BINDING_BYTES = 8;

    /**
     * Starts a run, for the items of one page or for the results of another query.
     *
     * @param effort counts what the run computes
     */
    ProgramRun start(Effort effort);

    /** The encoding in which results are written. */
    default Encoding encoding() {
        return Encoding.JSON;
    }

    /**
     * Tells which queries can go on from a position of this one: those that have the same. It has
     * {@link #BINDING_BYTES}.
     */
    Bytes binding();
}
