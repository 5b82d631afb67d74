package orrery.frontend.gremlin.socket;

import orrery.model.Bytes;

/** Something that a client has sent as a whole. */
public sealed interface Received {
    /**
     * A message, which may have come in several frames.
     *
     * @param isText false for bytes
     * @param isWhole false where there was no memory for the end of it
     * @param held the bytes that are counted for it until somebody gives them back
     */
    record Message(Bytes payload, boolean isText, boolean isWhole, long held) implements Received {}

    /** A frame between those of messages. */
    record Control(int opcode, Bytes payload) implements Received {}
}
