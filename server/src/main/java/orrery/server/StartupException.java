package orrery.server;

import orrery.server.client.ExitCode;

/** The server or a command cannot go on; the message tells a person why and what to do. */
final class StartupException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int exitCode;

    StartupException(String message) {
        super(message);
        this.exitCode = ExitCode.REFUSED;
    }

    StartupException(String message, Throwable cause) {
        super(message, cause);
        this.exitCode = ExitCode.REFUSED;
    }

    private StartupException(String message, int exitCode) {
        super(message);
        this.exitCode = exitCode;
    }

    /** The command line itself is wrong. */
    static StartupException ofUsage(String message) {
        return new StartupException(message, ExitCode.USAGE);
    }

    int exitCode() {
        return exitCode;
    }
}
