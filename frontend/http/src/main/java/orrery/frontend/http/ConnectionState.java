package orrery.frontend.http;

/**
 * The states of a {@link Connection}.
 *
 * <pre>
 *            first byte        head           last byte          reply           sent
 *   IDLE ---------------> HEAD -----> BODY ------------> HANDLING -----> WRITING ----> IDLE
 *     |                    |           |                                    |
 *     | stop, idle         +-----------+------ refused: error reply ------->+--> LINGERING --> CLOSED
 *     +----------------------------------------------------------------------------------------^
 * </pre>
 *
 * LINGERING throws away what a refused client still sends: closing at once would reset the
 * connection, and the reset would destroy the refusal before the client has read it.
 */
enum ConnectionState {
    IDLE,
    HEAD,
    BODY,
    HANDLING,
    WRITING,
    LINGERING,
    CLOSED;

    /** A request has begun to arrive and may still be refused. */
    boolean isReceiving() {
        return this == HEAD || this == BODY;
    }

    /** A whole request has arrived, and its client waits for the reply. */
    boolean isAnswering() {
        return this == HANDLING || this == WRITING;
    }

    boolean wantsInput() {
        return this == IDLE || isReceiving();
    }
}
