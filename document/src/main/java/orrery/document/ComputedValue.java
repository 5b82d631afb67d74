package orrery.document;

import orrery.model.ContainerDefinition.ComputedProperty;

/**
 * A property that items do not hold: its value is made from theirs, for the index when an item is
 * written and for a query when it asks. Both ask this one, so they cannot disagree.
 */
public interface ComputedValue {
    ComputedProperty definition();

    /** Returns true if the value may depend on this top-level property of an item. */
    boolean reads(String name);

    /**
     * Its value for an item, such as could be stored in one; undefined where there is none, and
     * where it cannot be computed. Depends on nothing but the item, and never fails.
     *
     * @param item with the properties that it {@link #reads} at least
     */
    Value of(Value.Obj item);
}
