package orrery.server;

/** The server cannot start; the message tells the person at the terminal what to do. */
final class StartupException extends RuntimeException {
    StartupException(String message) {
        super(message);
    }

    StartupException(String message, Throwable cause) {
        super(message, cause);
    }
}
