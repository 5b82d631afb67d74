package orrery.junit;

/** The libraries that a server finds in somebody else's process. */
final class ClassPath {
    private ClassPath() {}

    /**
     * The server and the Java SDK share one class path, and a build takes one version of each
     * library for both. If it takes the older one, the server fails with errors that name classes
     * and methods only.
     */
    static RuntimeException explain(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof LinkageError) {
                return new IllegalStateException(
                        "A library on the class path is older than Orrery needs ("
                                + at
                                + "). The Java SDK brings an older Netty with it: let the build"
                                + " import io.netty:netty-bom of Netty 4.2, which both work with.",
                        failure);
            }
        }
        return failure instanceof RuntimeException known
                ? known
                : new IllegalStateException(failure);
    }
}
