package orrery.model;

import java.util.Optional;

/**
 * A moment in steps of 100 nanoseconds since 1601, as etags of tables show it. Two writes never
 * share one: the later takes the next step. In an {@link Etag} it fills the low half with its bytes
 * swapped in pairs, in the way in which the service puts a FILETIME into a GUID.
 */
public record FileTime(long ticks) {
    private static final long TICKS_PER_MILLI = 10_000;

    /** Milliseconds from 1601 to 1970. */
    private static final long EPOCH_MILLIS = 11_644_473_600_000L;

    public FileTime {
        if (ticks < 0) {
            throw new IllegalArgumentException("a moment before 1601");
        }
    }

    public static FileTime ofMillis(long millis) {
        return new FileTime((millis + EPOCH_MILLIS) * TICKS_PER_MILLI);
    }

    /** The moment of a write after the one that had this moment. */
    public FileTime next(long millis) {
        FileTime now = ofMillis(millis);
        return now.ticks > ticks ? now : new FileTime(ticks + 1);
    }

    /** Milliseconds since 1970, rounded down. */
    public long millis() {
        return ticks / TICKS_PER_MILLI - EPOCH_MILLIS;
    }

    public Etag toEtag() {
        return new Etag(0, Long.rotateLeft(ticks, 16));
    }

    /** Empty for an etag that was not made from a moment. */
    public static Optional<FileTime> ofEtag(Etag etag) {
        long ticks = Long.rotateRight(etag.low(), 16);
        return etag.high() == 0 && ticks >= 0 ? Optional.of(new FileTime(ticks)) : Optional.empty();
    }
}
