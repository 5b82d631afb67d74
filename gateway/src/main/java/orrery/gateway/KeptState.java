package orrery.gateway;

/** The part of an answer that was gathered and is kept from one page to the next. */
sealed interface KeptState permits SeenState, GroupState, DerivedState {
    /** Returns the heap that it takes, roughly. */
    long sizeBytes();
}
