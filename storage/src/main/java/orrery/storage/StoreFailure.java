package orrery.storage;

import org.jspecify.annotations.Nullable;

/**
 * The disk or the database under us failed. After a failed write the state in memory can no longer
 * be trusted to match the disk, so it is never retried; the owner stops and a restart recovers.
 */
public final class StoreFailure extends RuntimeException {
    /**
     * The text of operating systems for a full disk. Neither the JDK nor RocksDB has another sign
     * for all cases.
     */
    private static final String NO_SPACE = "No space left on device";

    public StoreFailure(String message) {
        super(message);
    }

    public StoreFailure(String message, Throwable cause) {
        super(message + ": " + cause.getMessage(), cause);
    }

    public boolean isDiskFull() {
        return isDiskFull(this);
    }

    /** Returns true if a failure, or one that led to it, is that of a full disk. */
    public static boolean isDiskFull(Throwable failure) {
        for (@Nullable Throwable each = failure; each != null; each = each.getCause()) {
            if (String.valueOf(each.getMessage()).contains(NO_SPACE)) {
                return true;
            }
        }
        return false;
    }
}
