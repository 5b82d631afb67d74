package orrery.partition.api;

/** The change that a step of a batch made. */
public enum StepOutcome {
    CREATED,
    REPLACED,
    DELETED,
    READ,
    /** Read, but the client has this version. */
    NOT_MODIFIED,
    /** A write that would have made what is there. */
    UNCHANGED
}
