package orrery.frontend.gremlin.traversal;

/**
 * A request that fails for a reason of its language; what the engine refuses is an OrreryException.
 */
public final class GraphException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The kinds of failures that clients tell apart. */
    public enum Fault {
        /** The script is not of the language, or names what there is not. */
        COMPILE,
        /** The script is understood and cannot be carried out. */
        EXECUTION,
        /** The request is not of the protocol, or larger than a limit. */
        MALFORMED,
        /** The traversal goes beyond a limit on its steps or on the iterations of repeat(). */
        LIMIT,
        /** The traversal needs more memory than one may have. */
        MEMORY,
        /** A result has no form in the serializer of the client. */
        SERIALIZATION,
        /** The traversal took longer than it may. */
        TIMEOUT
    }

    private final Fault fault;

    /**
     * @param message a sentence for the author of the traversal
     */
    public GraphException(Fault fault, String message) {
        super(message);
        this.fault = fault;
    }

    public Fault fault() {
        return fault;
    }
}
