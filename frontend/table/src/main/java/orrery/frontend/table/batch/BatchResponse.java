package orrery.frontend.table.batch;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import orrery.document.ByteSink;
import orrery.frontend.http.HttpReply;
import orrery.model.Bytes;

/**
 * The answer to a batch. Clients know its parts by the names of the boundaries, by the words
 * HTTP/1.1 and by header names in just this case, so none of it may change.
 *
 * @param parts one for each operation, or the one that was refused
 */
public record BatchResponse(List<Part> parts, boolean isChangeSet) {
    /**
     * @param reply status, headers and body of one operation
     */
    public record Part(HttpReply reply, Optional<String> contentId) {}

    private static final String END = "\r\n";

    public BatchResponse {
        parts = List.copyOf(parts);
    }

    /** The boundary of the answer to the request with this id. */
    private static String boundary(UUID request) {
        return "batchresponse_" + request;
    }

    /** The Content-Type of the whole answer. */
    public static String contentType(UUID request) {
        return "multipart/mixed; boundary=" + boundary(request);
    }

    /**
     * @param request the id of the request; it makes the boundaries, so no body can hold them by
     *     chance
     */
    public Bytes body(UUID request) {
        String outer = boundary(request);
        String inner = "changesetresponse_" + request;
        ByteSink out = new ByteSink();
        if (isChangeSet) {
            put(out, "--" + outer + END);
            put(out, "Content-Type: multipart/mixed; boundary=" + inner + END + END);
        }
        String delimiter = "--" + (isChangeSet ? inner : outer);
        for (Part part : parts) {
            put(out, delimiter + END);
            put(out, head(part));
            part.reply().body().forEach(out::put);
            put(out, END);
        }
        put(out, delimiter + "--" + END);
        if (isChangeSet) {
            put(out, "--" + outer + "--" + END);
        }
        return out.toBytes();
    }

    private static void put(ByteSink out, String text) {
        out.put(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String head(Part part) {
        StringBuilder text = new StringBuilder();
        int status = part.reply().status();
        text.append("Content-Type: application/http").append(END);
        text.append("Content-Transfer-Encoding: binary").append(END).append(END);
        text.append("HTTP/1.1 ").append(status).append(' ').append(reason(status)).append(END);
        part.contentId().ifPresent(id -> text.append("Content-ID: ").append(id).append(END));
        part.reply()
                .headers()
                .forEach((name, value) -> text.append(name).append(": ").append(value).append(END));
        return text.append(END).toString();
    }

    private static String reason(int status) {
        return switch (status) {
            case 200 -> "OK";
            case 201 -> "Created";
            case 204 -> "No Content";
            case 304 -> "Not Modified";
            case 400 -> "Bad Request";
            case 403 -> "Forbidden";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 409 -> "Conflict";
            case 412 -> "Precondition Failed";
            case 413 -> "Request Entity Too Large";
            case 415 -> "Unsupported Media Type";
            case 429 -> "Too Many Requests";
            case 500 -> "Internal Server Error";
            case 501 -> "Not Implemented";
            case 503 -> "Service Unavailable";
            // Old clients split this line at its blanks and want three pieces.
            default -> "Status " + status;
        };
    }
}
