package orrery.model.codec;

/**
 * Bytes that no version of our writers produced: damage on disk, or a peer that is not one of ours.
 */
public final class MalformedRecordException extends RuntimeException {
    public MalformedRecordException(String message) {
        super(message);
    }

    public MalformedRecordException(String message, Throwable cause) {
        super(message, cause);
    }
}
