package orrery.server.client;

import java.util.OptionalLong;
import orrery.model.ErrorCode;

/** A refusal of the server, in its words where a person understands them. */
public final class RefusedException extends ClientException {
    private static final long UNKNOWN = -1;

    private final int status;
    private final int subStatus;
    private final long retryAfterMillis;

    RefusedException(int status, int subStatus, OptionalLong retryAfterMillis, String message) {
        super(message);
        this.status = status;
        this.subStatus = subStatus;
        this.retryAfterMillis = retryAfterMillis.orElse(UNKNOWN);
    }

    public int status() {
        return status;
    }

    /** Returns true if this is the reason, where others have the same status. */
    public boolean is(ErrorCode code) {
        return status == code.status() && subStatus == code.substatus();
    }

    public OptionalLong retryAfterMillis() {
        return retryAfterMillis == UNKNOWN
                ? OptionalLong.empty()
                : OptionalLong.of(retryAfterMillis);
    }
}
