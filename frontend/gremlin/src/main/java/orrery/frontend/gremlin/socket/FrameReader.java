package orrery.frontend.gremlin.socket;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.Optional;
import orrery.frontend.http.ConnectionBytes;
import orrery.model.Bytes;

/**
 * Takes the bytes of a client apart into messages and control frames. Memory for a message is taken
 * as its bytes arrive: a client that announces much and sends little holds little. Without memory
 * for the rest it reads and forgets that, so that the next message can come. Belongs to the event
 * loop of the connection.
 */
public final class FrameReader {
    private static final int FIRST_BYTES = 4 << 10;
    private static final byte[] NOTHING = {};

    /** Flags and opcode, length, eight bytes of a longer length, four of the mask. */
    private static final int MAX_HEAD_BYTES = 14;

    private final ConnectionBytes<?> memory;

    private final byte[] head = new byte[MAX_HEAD_BYTES];
    private int headRead;
    private boolean isInPayload;

    private int opcode;
    private boolean isFinal;
    private long payloadLeft;
    private int maskStart;
    private int maskAt;

    private boolean isInMessage;
    private boolean isText;
    private boolean isDiscarded;
    private byte[] message = NOTHING;
    private int messageLength;
    private long held;

    private byte[] control = NOTHING;
    private int controlLength;

    public FrameReader(ConnectionBytes<?> memory) {
        this.memory = memory;
    }

    /** Returns true while something has come and its end has not. */
    public boolean hasBegun() {
        return headRead > 0 || isInPayload || isInMessage;
    }

    /** Returns the bytes that are counted for the message that has begun. */
    public long held() {
        return held;
    }

    /**
     * Takes bytes until something is whole. Empty if it needs more of them.
     *
     * @param limit the longest message that this client may send
     */
    public Optional<Received> next(ByteBuf in, int limit) throws FrameException {
        while (true) {
            if (!isInPayload && !readHead(in, limit)) {
                return Optional.empty();
            }
            readPayload(in);
            if (payloadLeft > 0) {
                return Optional.empty();
            }
            isInPayload = false;
            if (isControl()) {
                Received whole = new Received.Control(opcode, Bytes.wrap(control));
                return Optional.of(whole);
            }
            if (isFinal) {
                return Optional.of(finished());
            }
        }
    }

    private boolean isControl() {
        return opcode >= Frames.CLOSE;
    }

    private boolean readHead(ByteBuf in, int limit) throws FrameException {
        while (headRead < headLength()) {
            if (!in.isReadable()) {
                return false;
            }
            head[headRead++] = in.readByte();
            if (headRead == 2) {
                checkFlags();
            }
        }
        isFinal = (head[0] & Frames.FINAL) != 0;
        opcode = head[0] & 0x0F;
        payloadLeft = payloadLength();
        maskStart = headRead - Integer.BYTES;
        maskAt = 0;
        headRead = 0;
        isInPayload = true;
        begin(limit);
        return true;
    }

    private int headLength() {
        if (headRead < 2) {
            return 2;
        }
        int extension =
                switch (head[1] & 0x7F) {
                    case 126 -> Short.BYTES;
                    case 127 -> Long.BYTES;
                    default -> 0;
                };
        return 2 + extension + Integer.BYTES;
    }

    private long payloadLength() {
        int length = head[1] & 0x7F;
        if (length < 126) {
            return length;
        }
        long longer = 0;
        for (int i = 2; i < headRead - Integer.BYTES; i++) {
            longer = longer << 8 | (head[i] & 0xFF);
        }
        return longer;
    }

    private void checkFlags() throws FrameException {
        if ((head[0] & 0x70) != 0) {
            throw broken("A frame has a flag of an extension, and none was agreed.");
        }
        if ((head[1] & Frames.MASKED) == 0) {
            throw broken("A frame of a client must be masked.");
        }
        switch (head[0] & 0x0F) {
            case Frames.CONTINUATION -> {
                if (!isInMessage) {
                    throw broken("A frame continues a message that has not begun.");
                }
            }
            case Frames.TEXT, Frames.BINARY -> {
                if (isInMessage) {
                    throw broken("A message begins before the last one has ended.");
                }
            }
            case Frames.CLOSE, Frames.PING, Frames.PONG -> {
                if ((head[0] & Frames.FINAL) == 0 || (head[1] & 0x7F) > Frames.MAX_CONTROL_BYTES) {
                    throw broken("A control frame is one frame of at most 125 bytes.");
                }
            }
            default -> throw broken("A frame has an opcode that there is not.");
        }
    }

    private void begin(int limit) throws FrameException {
        if (isControl()) {
            control = new byte[(int) payloadLeft];
            controlLength = 0;
            return;
        }
        if (payloadLeft < 0 || payloadLeft > limit - messageLength) {
            throw new FrameException(
                    Frames.TOO_BIG, "A message may have at most " + limit + " bytes.");
        }
        if (!isInMessage) {
            isInMessage = true;
            isText = opcode == Frames.TEXT;
        }
    }

    private void readPayload(ByteBuf in) {
        while (payloadLeft > 0 && in.isReadable()) {
            int count = (int) Math.min(in.readableBytes(), payloadLeft);
            if (isControl()) {
                unmask(in, control, controlLength, count);
                controlLength += count;
            } else if (isDiscarded) {
                in.skipBytes(count);
                messageLength += count;
            } else if (messageLength == message.length && !grow()) {
                isDiscarded = true;
                continue;
            } else {
                count = Math.min(count, message.length - messageLength);
                unmask(in, message, messageLength, count);
                messageLength += count;
            }
            payloadLeft -= count;
        }
    }

    private void unmask(ByteBuf in, byte[] into, int at, int count) {
        in.readBytes(into, at, count);
        for (int i = at; i < at + count; i++) {
            into[i] ^= head[maskStart + (maskAt++ & 3)];
        }
    }

    private boolean grow() {
        int wanted = (int) (messageLength + payloadLeft);
        int size = Math.min(wanted, Math.max(FIRST_BYTES, message.length * 2));
        if (!memory.tryHold(size - message.length)) {
            return false;
        }
        held += size - message.length;
        message = Arrays.copyOf(message, size);
        return true;
    }

    private Received finished() {
        int length = Math.min(messageLength, message.length);
        byte[] whole = message.length == length ? message : Arrays.copyOf(message, length);
        Received received = new Received.Message(Bytes.wrap(whole), isText, !isDiscarded, held);
        message = NOTHING;
        messageLength = 0;
        held = 0;
        isInMessage = false;
        isDiscarded = false;
        return received;
    }

    private static FrameException broken(String reason) {
        return new FrameException(Frames.PROTOCOL_ERROR, reason);
    }
}
