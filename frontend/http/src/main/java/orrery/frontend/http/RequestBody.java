package orrery.frontend.http;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.function.IntPredicate;
import orrery.model.Bytes;

/** The body of the request that is arriving. Asks before it takes more memory. */
final class RequestBody {
    enum Result {
        TAKEN,
        TOO_LONG,
        NO_ROOM
    }

    private static final byte[] NOTHING = Bytes.EMPTY.unsafeArray();

    private final int maxBytes;
    private final IntPredicate tryHold;
    private byte[] content = NOTHING;
    private int length;

    /** The number of bytes that the client announced, or the most that it may send. */
    private int end;

    /**
     * @param tryHold whether so many more bytes may be held
     */
    RequestBody(int maxBytes, IntPredicate tryHold) {
        this.maxBytes = maxBytes;
        this.tryHold = tryHold;
    }

    /**
     * Returns whether there is room.
     *
     * @param announced how long the client says it is, negative if it does not say
     */
    boolean begin(long announced) {
        end = announced < 0 ? maxBytes : (int) announced;
        length = 0;
        // A client that announces much and sends little shall not hold much.
        int capacity = (int) Math.min(Math.max(0, announced), Connection.BUFFER_BYTES);
        if (!tryHold.test(capacity)) {
            return false;
        }
        content = capacity == 0 ? NOTHING : new byte[capacity];
        return true;
    }

    Result append(ByteBuf bytes) {
        int count = bytes.readableBytes();
        if (count > maxBytes - length) {
            return Result.TOO_LONG;
        }
        if (length + count > content.length && !grow(length + count)) {
            return Result.NO_ROOM;
        }
        bytes.readBytes(content, length, count);
        length += count;
        return Result.TAKEN;
    }

    private boolean grow(int needed) {
        // Times four, so that a body of the largest size is moved two or three times, not ten.
        int capacity = (int) Math.max(needed, Math.min(end, Math.max(1024, 4L * content.length)));
        if (!tryHold.test(capacity - content.length)) {
            return false;
        }
        content = Arrays.copyOf(content, capacity);
        return true;
    }

    /** Hands the whole body over, and keeps nothing of it. */
    Bytes take() {
        Bytes whole =
                Bytes.wrap(length == content.length ? content : Arrays.copyOf(content, length));
        clear();
        return whole;
    }

    void clear() {
        content = NOTHING;
        length = 0;
    }
}
