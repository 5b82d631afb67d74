package orrery.partition;

/** Hears what a logical partition holds after a write, and what it may hold. */
interface KeySize {
    /**
     * @param lsn of the write
     */
    void changed(long bytes, long lsn, long limitBytes);
}
