package orrery.frontend.gremlin.socket;

/** Bytes of a client that break the protocol, or a limit of it. The connection ends. */
public final class FrameException extends Exception {
    private static final long serialVersionUID = 1;

    private final int closeCode;

    /**
     * @param closeCode tells the client why, as RFC 6455 numbers reasons
     */
    FrameException(int closeCode, String reason) {
        super(reason, null, false, false);
        this.closeCode = closeCode;
    }

    public int closeCode() {
        return closeCode;
    }

    /** Always there, unlike {@link #getMessage}. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
