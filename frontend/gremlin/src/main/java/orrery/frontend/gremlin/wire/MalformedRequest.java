package orrery.frontend.gremlin.wire;

import java.util.Optional;
import java.util.UUID;

/** A message that is no request of the protocol, or one with arguments that it cannot have. */
public final class MalformedRequest extends Exception {
    private static final long serialVersionUID = 1;

    /** The code for bytes that cannot be read. */
    static final int UNREADABLE = 498;

    /** The code for arguments that are read and make no sense. */
    static final int INVALID_ARGUMENTS = 499;

    private final int code;
    private final transient Optional<UUID> requestId;

    private MalformedRequest(int code, Optional<UUID> requestId, String reason) {
        super(reason, null, false, false);
        this.code = code;
        this.requestId = requestId;
    }

    static MalformedRequest unreadable(String reason) {
        return new MalformedRequest(UNREADABLE, Optional.empty(), reason);
    }

    public static MalformedRequest arguments(UUID requestId, String reason) {
        return new MalformedRequest(INVALID_ARGUMENTS, Optional.of(requestId), reason);
    }

    /** Returns the same with the request that it is about. */
    MalformedRequest of(UUID id) {
        return requestId.isPresent() ? this : new MalformedRequest(code, Optional.of(id), reason());
    }

    public int code() {
        return code;
    }

    /** Returns the id of the request, if that could be read. */
    public Optional<UUID> requestId() {
        return requestId;
    }

    /** Always there, unlike {@link #getMessage}. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
