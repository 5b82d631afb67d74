package orrery.server.tls;

/**
 * Certificates or keys cannot be used; the message is a sentence for the person who starts the
 * server.
 */
public final class TlsException extends RuntimeException {
    public TlsException(String message) {
        super(message);
    }

    public TlsException(String message, Throwable cause) {
        super(message, cause);
    }
}
