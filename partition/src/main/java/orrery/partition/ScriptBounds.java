package orrery.partition;

import java.time.Duration;
import orrery.model.SizeLimits;
import orrery.model.metering.Charge;

/**
 * The limits of a script and its use of them. Near the end its operations are no longer accepted,
 * so that it can return and be called again, rather than be stopped.
 */
final class ScriptBounds {
    private static final int MAX_CHANGES = 4000;

    /** JSON that is handed to one script, all together. */
    private static final long MAX_READ_BYTES = 32 << 20;

    /** A script that stops here has the rest of its time to come to an end. */
    private static final double USABLE_TIME = 0.8;

    private final long latestNanos;
    private final double maxRu;

    /** Bodies that one script may write: what one entry of the log should carry, and no more. */
    private final long maxWrittenBytes;

    private long readBytes;
    private long writtenBytes;
    private int changes;
    private double ru;

    /**
     * @param maxRu all that its operations may cost together
     */
    ScriptBounds(Duration time, double maxRu, SizeLimits limits) {
        this.latestNanos = System.nanoTime() + (long) (USABLE_TIME * time.toNanos());
        this.maxRu = maxRu;
        this.maxWrittenBytes = limits.maxPageBytes();
    }

    boolean accepts(int bodyBytes) {
        return System.nanoTime() - latestNanos < 0
                && ru < maxRu
                && changes < MAX_CHANGES
                && readBytes < MAX_READ_BYTES
                && writtenBytes + bodyBytes <= maxWrittenBytes;
    }

    void read(long bytes) {
        readBytes += bytes;
    }

    void wrote(int bodyBytes) {
        writtenBytes += bodyBytes;
        changes++;
    }

    void spent(Charge charge) {
        ru += charge.ru();
    }
}
