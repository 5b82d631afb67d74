package orrery.query.dialect;

import java.util.Optional;
import orrery.document.Value;
import orrery.model.Bytes;

/**
 * The groups of a whole answer in one order that depends on nothing but what they are grouped by.
 * So the place of a group holds in another run too, also if other groups have come or gone.
 */
public interface GroupList {
    int size();

    /** Returns the result of a group, if it has one. */
    Optional<Value> result(int at);

    /** Returns the name of a group in the order, small enough for a continuation. */
    Bytes place(int at);

    /**
     * Returns the number of groups up to and with a place. Fails with BAD_REQUEST if that cannot be
     * told any more, and with MalformedRecordException for what is no place.
     */
    int upTo(Bytes place);
}
