package orrery.frontend.mongo.wire;

import java.util.OptionalInt;

/**
 * A frame that is no message of this protocol. Its connection is closed, as nobody can tell where
 * the next one begins or what its sender believes.
 */
public final class WireException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient OptionalInt code;

    public WireException(String reason) {
        this(reason, OptionalInt.empty());
    }

    /**
     * @param code the number of an error that the client is told before the connection is closed
     */
    WireException(String reason, OptionalInt code) {
        super(reason, null, false, false);
        this.code = code;
    }

    /** Returns the number of the error that the client is to hear, if it is to hear one. */
    public OptionalInt code() {
        return code;
    }

    public String reason() {
        return String.valueOf(getMessage());
    }
}
