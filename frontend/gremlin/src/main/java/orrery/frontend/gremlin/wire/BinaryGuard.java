package orrery.frontend.gremlin.wire;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Walks over a request in GraphBinary before it is read. TinkerPop's reader makes room for whatever
 * a length says, loads classes by their names and takes code; here each length is compared with the
 * bytes that are there, and only types without code pass.
 */
final class BinaryGuard {
    /** Each level of a traversal in another takes one or two. */
    static final int MAX_DEPTH = 100;

    private static final int MAX_NUMBER_BYTES = 160;
    private static final int MAX_SCALE = 400;

    private static final String STRATEGIES =
            "org.apache.tinkerpop.gremlin.process.traversal.strategy.";

    private final ByteBuffer in;
    private int depth;

    private BinaryGuard(ByteBuffer in) {
        this.in = in;
    }

    /** Checks op, processor and arguments, which must be all that is there. */
    static void check(ByteBuffer request) throws MalformedRequest {
        try {
            BinaryGuard guard = new BinaryGuard(request);
            guard.text();
            guard.text();
            guard.map();
        } catch (BufferUnderflowException cutOff) {
            throw MalformedRequest.unreadable("The request ends before it should.");
        }
        if (request.hasRemaining()) {
            throw MalformedRequest.unreadable("Something follows the request.");
        }
    }

    private void values(int count) throws MalformedRequest {
        for (int i = 0; i < count; i++) {
            value();
        }
    }

    /** Passes by a value with its type. */
    private void value() throws MalformedRequest {
        if (++depth > MAX_DEPTH) {
            throw MalformedRequest.unreadable(
                    "The request is nested deeper than " + MAX_DEPTH + " levels.");
        }
        int type = in.get() & 0xFF;
        int flag = in.get();
        if ((flag & 1) == 0) {
            content(type);
        }
        depth--;
    }

    private void content(int type) throws MalformedRequest {
        switch (type) {
            case 0x24, 0x27 -> skip(1); // Byte, Boolean
            case 0x26 -> skip(Short.BYTES);
            case 0x01, 0x08 -> skip(Integer.BYTES); // Int, Float
            case 0x02, 0x04, 0x05, 0x07 -> skip(Long.BYTES); // Long, Date, Timestamp, Double
            case 0x0C -> skip(2 * Long.BYTES); // UUID
            case 0x81 -> skip(Long.BYTES + Integer.BYTES); // Duration
            case 0x88 -> skip(18); // OffsetDateTime
            case 0x80 -> character();
            case 0x03 -> text();
            case 0x22 -> decimal();
            case 0x23 -> wholeNumber();
            case 0x09, 0x0B -> values(count()); // List, Set
            case 0x0A -> map();
            // Barrier, Cardinality, Column, Direction, Operator, Order, Pick, Pop, Scope, T,
            // Merge, DT, GType: each is a text with its type.
            case 0x13, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x1B, 0x1C, 0x1F, 0x20, 0x2E, 0x2F, 0x30 ->
                    value();
            case 0x14 -> { // Binding
                text();
                value();
            }
            case 0x15 -> bytecode();
            case 0x1E, 0x28 -> { // P, TextP
                text();
                values(count());
            }
            case 0x0D -> edge();
            case 0x0F -> { // Property
                text();
                values(2);
            }
            case 0x11 -> { // Vertex
                value();
                text();
                value();
            }
            case 0x12 -> { // VertexProperty
                value();
                text();
                values(3);
            }
            case 0x29 -> strategy();
            default ->
                    throw MalformedRequest.unreadable(
                            "A request may hold no value of the type 0x"
                                    + Integer.toHexString(type)
                                    + " of GraphBinary.");
        }
    }

    private void bytecode() throws MalformedRequest {
        for (int part = 0; part < 2; part++) {
            int instructions = count();
            for (int i = 0; i < instructions; i++) {
                text();
                values(count());
            }
        }
    }

    private void edge() throws MalformedRequest {
        for (int end = 0; end < 3; end++) {
            value();
            text();
        }
        values(2);
    }

    private void map() throws MalformedRequest {
        int entries = count();
        for (int i = 0; i < entries; i++) {
            values(2);
        }
    }

    private void strategy() throws MalformedRequest {
        int length = count();
        byte[] name = new byte[length];
        in.get(name);
        if (!new String(name, StandardCharsets.UTF_8).startsWith(STRATEGIES)) {
            throw MalformedRequest.unreadable(
                    "A request may name no strategies but those of TinkerPop.");
        }
        map();
    }

    private void character() throws MalformedRequest {
        int first = in.get() & 0xFF;
        if ((first & 0x80) != 0) {
            skip((first & 0xF0) == 0xF0 ? 3 : (first & 0xE0) == 0xE0 ? 2 : 1);
        }
    }

    private void decimal() throws MalformedRequest {
        int scale = in.getInt();
        if (scale < -MAX_SCALE || scale > MAX_SCALE) {
            throw MalformedRequest.unreadable("A number is too large or too small.");
        }
        wholeNumber();
    }

    private void wholeNumber() throws MalformedRequest {
        int length = count();
        if (length > MAX_NUMBER_BYTES || length == 0) {
            throw MalformedRequest.unreadable("A number is too large.");
        }
        skip(length);
    }

    private void text() throws MalformedRequest {
        skip(count());
    }

    /** Reads a length. There is no element, entry or character without a byte. */
    private int count() throws MalformedRequest {
        int count = in.getInt();
        if (count < 0 || count > in.remaining()) {
            throw MalformedRequest.unreadable("A length is longer than the request.");
        }
        return count;
    }

    private void skip(int bytes) {
        if (bytes > in.remaining()) {
            throw new BufferUnderflowException();
        }
        in.position(in.position() + bytes);
    }
}
