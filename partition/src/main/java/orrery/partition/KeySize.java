package orrery.partition;

/** Hears what a logical partition holds after a write, and what it may hold. */
interface KeySize {
    void changed(long bytes, long limitBytes);
}
