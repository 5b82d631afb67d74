package orrery.query.write;

import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.Item;

/**
 * A write that has been read and can be evaluated on one version of its item after another. The
 * same version gives the same body.
 */
public interface ItemUpdate {
    /**
     * Returns the body that the write makes, in the encoding of the container; empty if the write
     * has a condition that does not hold. Throws BAD_REQUEST if the write does not fit the item.
     * The caller checks the size of the body, its lifetime, and that it names the same item.
     *
     * @param present empty if there is no item and the write may create one
     */
    Optional<Bytes> bodyAfter(Optional<Item> present);

    /**
     * Returns true if a body that equals the present one is no change: the item then keeps its
     * version, and the answer says so.
     */
    default boolean leavesEqualBodies() {
        return false;
    }

    /** Returns true if the write names all of the item, and not what to change of it. */
    default boolean isReplacement() {
        return false;
    }
}
