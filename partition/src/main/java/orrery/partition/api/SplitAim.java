package orrery.partition.api;

/** The purpose of a split. */
public enum SplitAim {
    /** Halves the data; refused where one key holds all of it. */
    STORAGE,
    /** Always possible; halves the hash space where the data says nothing. */
    THROUGHPUT,
    /** Somebody wants it; cut like one for throughput. */
    OPERATOR
}
