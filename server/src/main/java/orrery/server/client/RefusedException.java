package orrery.server.client;

import java.util.OptionalLong;

/** A refusal of the server, in its words where a person understands them. */
public final class RefusedException extends ClientException {
    private static final long UNKNOWN = -1;

    private final int status;
    private final long retryAfterMillis;

    RefusedException(int status, OptionalLong retryAfterMillis, String message) {
        super(message);
        this.status = status;
        this.retryAfterMillis = retryAfterMillis.orElse(UNKNOWN);
    }

    public int status() {
        return status;
    }

    public OptionalLong retryAfterMillis() {
        return retryAfterMillis == UNKNOWN
                ? OptionalLong.empty()
                : OptionalLong.of(retryAfterMillis);
    }
}
