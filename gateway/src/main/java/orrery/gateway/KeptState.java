package orrery.gateway;

/** What was gathered for an answer, and is kept from one of its pages to the next. */
sealed interface KeptState permits SeenState, GroupState, DerivedState {
    /** Returns the heap that it takes, roughly. */
    long sizeBytes();
}
