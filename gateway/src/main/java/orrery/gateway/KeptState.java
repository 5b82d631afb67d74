package orrery.gateway;

/** The part of an answer that was gathered and is kept from one page to the next. */
sealed interface KeptState permits SeenState, GroupState, DerivedState {
    /**
     * Returns false if a failure came between two steps that belong together, so that no page can
     * go on from here.
     */
    default boolean isWhole() {
        return true;
    }

    /** Returns the heap that it takes, roughly. */
    long sizeBytes();
}
