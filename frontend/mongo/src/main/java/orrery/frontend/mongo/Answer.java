package orrery.frontend.mongo;

import java.util.Optional;

/**
 * The answer to one message.
 *
 * @param message absent where the client waits for none
 * @param isKnown the client has shown who it is
 * @param closes the connection ends after it
 */
record Answer(Optional<byte[]> message, boolean isKnown, boolean closes) {
    static final Answer CLOSE = new Answer(Optional.empty(), false, true);
}
