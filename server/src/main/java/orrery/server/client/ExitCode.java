package orrery.server.client;

/** The exit codes of every command; docs/command-line.md explains them. */
public final class ExitCode {
    public static final int OK = 0;

    /** The server refuses, does not answer, or a file cannot be used. */
    public static final int REFUSED = 1;

    public static final int USAGE = 2;

    /** The command did its work, and what it was to check does not hold. */
    public static final int CHECK_FAILED = 3;

    private ExitCode() {}
}
