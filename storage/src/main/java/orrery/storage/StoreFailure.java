package orrery.storage;

/**
 * The disk or the database under us failed. After a failed write the state in memory can no longer
 * be trusted to match the disk, so it is never retried; the owner stops and a restart recovers.
 */
public final class StoreFailure extends RuntimeException {
    public StoreFailure(String message) {
        super(message);
    }

    public StoreFailure(String message, Throwable cause) {
        super(message + ": " + cause.getMessage(), cause);
    }
}
