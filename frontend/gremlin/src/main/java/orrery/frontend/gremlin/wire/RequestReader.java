package orrery.frontend.gremlin.wire;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import orrery.model.memory.MemoryAccount;

/** Reads the messages of drivers. */
public final class RequestReader {
    /** The values of a request take several times as many bytes as its message. */
    private static final int HEAP_FACTOR = 6;

    private RequestReader() {}

    /** The part of a message behind the name of its form. */
    private record Body(Form form, int start) {}

    /**
     * @param isText of a text frame, which is JSON and names no form
     */
    public static RequestMessage read(byte[] message, boolean isText) throws MalformedRequest {
        Body body = body(message, isText);
        MemoryAccount.current().take((long) HEAP_FACTOR * message.length);
        return body.form() == Form.GRAPH_BINARY
                ? BinaryRequests.read(message, body.start())
                : JsonRequests.read(message, body.start(), body.form());
    }

    /**
     * Returns the form of a message and the id of its request, as far as they are there. It looks
     * at the beginning only, which may be all that there is.
     */
    public static Optional<Refusable> peek(byte[] message, boolean isText) {
        try {
            Body body = body(message, isText);
            Optional<UUID> id =
                    body.form() == Form.GRAPH_BINARY
                            ? BinaryRequests.peekId(message, body.start())
                            : JsonRequests.peekId(message, body.start());
            return id.map(found -> new Refusable(body.form(), found));
        } catch (MalformedRequest noForm) {
            return Optional.empty();
        }
    }

    /** The parts of a request that are needed to refuse it. */
    public record Refusable(Form form, UUID id) {}

    /** Returns the form that a message names; JSON if it names none that is known. */
    public static Form formOf(byte[] message, boolean isText) {
        try {
            return body(message, isText).form();
        } catch (MalformedRequest unknown) {
            return Form.JSON;
        }
    }

    private static Body body(byte[] message, boolean isText) throws MalformedRequest {
        if (isText) {
            return new Body(Form.JSON, 0);
        }
        int length = message.length == 0 ? 0 : message[0] & 0xFF;
        if (length == 0 || message.length <= length) {
            throw MalformedRequest.unreadable(
                    "A message begins with the length of a media type, the media type, and the"
                            + " request.");
        }
        String mediaType = new String(message, 1, length, StandardCharsets.US_ASCII);
        return new Body(
                Form.of(mediaType)
                        .orElseThrow(
                                () ->
                                        MalformedRequest.unreadable(
                                                "Messages of the type '"
                                                        + printable(mediaType)
                                                        + "' are not supported. Use GraphSON 1, 2 or"
                                                        + " 3, or GraphBinary 1.")),
                1 + length);
    }

    private static String printable(String text) {
        return text.replaceAll("[^\\x20-\\x7E]", "?");
    }
}
