package orrery.gateway;

/**
 * The resource that throughput is reserved for, as far as limits depend on it.
 *
 * @param highestEver the largest throughput it has had
 * @param storedBytes items and index
 * @param sharingContainers of a database, those without throughput of their own
 */
record ThroughputHolder(Kind kind, int highestEver, long storedBytes, int sharingContainers) {
    enum Kind {
        /** A container with one range for ever. */
        FIXED,
        /**
         * A container with a key and less than an unlimited one has at least; it becomes one by
         * being scaled or filled.
         */
        GROWING,
        UNLIMITED,
        DATABASE
    }

    /** One without a history. */
    static ThroughputHolder ofNew(Kind kind) {
        return new ThroughputHolder(kind, 0, 0, 0);
    }
}
