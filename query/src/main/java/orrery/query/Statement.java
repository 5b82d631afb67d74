package orrery.query;

import java.util.Set;
import orrery.model.Encoding;
import orrery.query.dialect.AnswerShape;

/**
 * A query of some language with the values of its parameters, before it is known what it runs on.
 * Safe to share.
 */
public interface Statement {
    /** Returns what partitions are sent. */
    EncodedQuery encoded();

    AnswerShape answer();

    /** Returns the encoding of its results. */
    Encoding encoding();

    /** Returns its size, for which it is charged. */
    QuerySize size();

    /** Returns true if the caller can make it ready while others wait for the thread. */
    boolean isShort();

    /** Returns true if it is over the results of another, which must be known first. */
    boolean isDerived();

    /** Returns the names of the users' functions that it calls. */
    Set<String> functions();

    /** Returns false if what it is made into depends on the moment in which that happens. */
    boolean isTimeless();

    /** Fails with BAD_REQUEST for what can never run. */
    BoundQuery bind(QuerySurroundings surroundings);
}
