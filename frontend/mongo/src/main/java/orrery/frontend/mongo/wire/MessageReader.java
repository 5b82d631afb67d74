package orrery.frontend.mongo.wire;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;
import orrery.model.memory.MemoryAccount;

/**
 * Reads the message that a frame holds. Lengths are checked before anything is allocated on their
 * word; what is inside of documents is for others to check.
 */
public final class MessageReader {
    private static final int SMALLEST_DOCUMENT = 5;
    private static final int CHECKSUM_PRESENT = 1;
    static final int MORE_TO_COME = 2;

    /** Bits below this one must be known to whoever reads a message. */
    private static final int REQUIRED_BITS = 0xFFFF;

    private static final int ILLEGAL_FLAG = 223;

    private final byte[] bytes;
    private final int end;
    private int at;

    private MessageReader(byte[] bytes, int at, int end) {
        this.bytes = bytes;
        this.at = at;
        this.end = end;
    }

    /**
     * Reads a message.
     *
     * @param frame the whole message with its header, whose length has been checked
     * @param limit the longest message that this client may send; a compressed one counts with the
     *     bytes that it becomes
     */
    public static Message read(byte[] frame, int limit) throws WireException {
        int id = Frame.requestId(frame);
        int code = Frame.opCode(frame);
        if (code != OpCode.COMPRESSED) {
            return read(frame, Frame.HEADER_BYTES, id, code, Compressor.NONE);
        }
        MessageReader outer = new MessageReader(frame, Frame.HEADER_BYTES, frame.length);
        int inner = outer.int32();
        int size = outer.int32();
        Compressor compressor = Compressor.numbered(outer.int8());
        if (inner == OpCode.COMPRESSED) {
            throw new WireException("a message is compressed twice");
        }
        if (size < 0 || size > Math.min(limit, Frame.MAX_BYTES) - Frame.HEADER_BYTES) {
            throw new WireException("a message cannot have " + size + " bytes");
        }
        MemoryAccount.current().take(size);
        return read(
                compressor.decompress(frame, outer.at, frame.length - outer.at, size),
                0,
                id,
                inner,
                compressor);
    }

    private static Message read(
            byte[] bytes, int from, int requestId, int code, Compressor compressor)
            throws WireException {
        return switch (code) {
            case OpCode.MSG ->
                    new MessageReader(bytes, from, bytes.length).msg(requestId, compressor);
            case OpCode.QUERY ->
                    new MessageReader(bytes, from, bytes.length).query(requestId, compressor);
            default -> throw new WireException("messages of kind " + code + " are not spoken");
        };
    }

    private Message msg(int requestId, Compressor compressor) throws WireException {
        int flags = int32();
        if ((flags & REQUIRED_BITS & ~(CHECKSUM_PRESENT | MORE_TO_COME)) != 0) {
            throw new WireException(
                    "Message contains illegal flags value", OptionalInt.of(ILLEGAL_FLAG));
        }
        boolean hasChecksum = (flags & CHECKSUM_PRESENT) != 0;
        int last = hasChecksum ? end - Integer.BYTES : end;
        if (hasChecksum) {
            checkSum(last, compressor);
        }
        Bytes body = null;
        List<Message.Sequence> sequences = new ArrayList<>();
        Set<String> names = new HashSet<>();
        while (at < last) {
            int kind = int8();
            switch (kind) {
                case 0 -> {
                    if (body != null) {
                        throw new WireException("a message has two documents");
                    }
                    body = document(last);
                }
                case 1 -> {
                    Message.Sequence sequence = sequence(last);
                    if (!names.add(sequence.name())) {
                        throw new WireException("a message has one sequence twice");
                    }
                    sequences.add(sequence);
                }
                default -> throw new WireException("there is no section of kind " + kind);
            }
        }
        return new Message.Msg(
                requestId,
                compressor,
                (flags & MORE_TO_COME) != 0,
                hasChecksum,
                required(body),
                sequences);
    }

    private static Bytes required(@Nullable Bytes body) throws WireException {
        if (body == null) {
            throw new WireException("a message has no document");
        }
        return body;
    }

    /** A sum of a message that came compressed would be over bytes that nobody has sent. */
    private void checkSum(int last, Compressor compressor) throws WireException {
        if (last < at) {
            throw new WireException("a message ends before its checksum");
        }
        if (compressor != Compressor.NONE) {
            return;
        }
        CRC32C sum = new CRC32C();
        sum.update(bytes, 0, last);
        if ((int) sum.getValue() != Frame.int32(bytes, last)) {
            throw new WireException("a message does not have its checksum");
        }
    }

    private Message.Sequence sequence(int limit) throws WireException {
        int start = at;
        int size = int32();
        if (size < Integer.BYTES + 1 || size > limit - start) {
            throw new WireException("a sequence cannot have " + size + " bytes");
        }
        int last = start + size;
        String name = cstring(last);
        List<Bytes> documents = new ArrayList<>();
        while (at < last) {
            documents.add(document(last));
        }
        return new Message.Sequence(name, documents);
    }

    private Message query(int requestId, Compressor compressor) throws WireException {
        int32(); // flags, which say nothing about a command
        String collection = cstring(end);
        int32(); // how many to skip
        int32(); // how many to return
        Bytes query = document(end);
        if (at < end) {
            document(end); // a projection, which commands do not have
        }
        if (at != end) {
            throw new WireException("something follows the end of a message");
        }
        return new Message.Query(requestId, compressor, collection, query);
    }

    private Bytes document(int limit) throws WireException {
        if (limit - at < SMALLEST_DOCUMENT) {
            throw new WireException("a message ends inside of a document");
        }
        int length = Frame.int32(bytes, at);
        if (length < SMALLEST_DOCUMENT || length > limit - at) {
            throw new WireException("a document cannot have " + length + " bytes");
        }
        Bytes document = Bytes.wrap(Arrays.copyOfRange(bytes, at, at + length));
        at += length;
        return document;
    }

    private String cstring(int limit) throws WireException {
        for (int i = at; i < limit; i++) {
            if (bytes[i] == 0) {
                String text = new String(bytes, at, i - at, StandardCharsets.UTF_8);
                at = i + 1;
                return text;
            }
        }
        throw new WireException("a name has no end");
    }

    private int int8() throws WireException {
        require(1);
        return bytes[at++] & 0xFF;
    }

    private int int32() throws WireException {
        require(Integer.BYTES);
        int value = Frame.int32(bytes, at);
        at += Integer.BYTES;
        return value;
    }

    private void require(int count) throws WireException {
        if (count > end - at) {
            throw new WireException("a message ends too early");
        }
    }
}
