package orrery.frontend.gremlin.socket;

import io.netty.buffer.ByteBuf;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import orrery.frontend.http.ConnectionBytes;
import orrery.frontend.http.Headers;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpRequest;
import orrery.model.Bytes;

/**
 * The head of the one HTTP request of a connection, as its bytes arrive. A body is never read: only
 * requests for WebSocket are taken, which have none. Belongs to the event loop of the connection.
 */
public final class RequestHead {
    private static final int FIRST_BYTES = 1 << 10;

    private final ConnectionBytes<?> memory;
    private final int limit;
    private byte[] bytes = {};
    private int length;

    /**
     * @param limit the most bytes that it may have
     */
    public RequestHead(ConnectionBytes<?> memory, int limit) {
        this.memory = memory;
        this.limit = limit;
    }

    /** A head that cannot be taken. */
    public static final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        private final int status;

        private Refused(int status, String text) {
            super(text, null, false, false);
            this.status = status;
        }

        public HttpReply reply() {
            return HttpReply.status(status)
                    .header("Connection", "close")
                    .header("Content-Type", "text/plain; charset=utf-8")
                    .body(Bytes.ofUtf8(getMessage() + "\n"))
                    .build();
        }
    }

    /** Takes bytes up to the empty line. Empty until that has come. */
    public Optional<HttpRequest> next(
            ByteBuf in, String scheme, InetSocketAddress local, InetSocketAddress remote)
            throws Refused {
        while (in.isReadable()) {
            if (length == limit) {
                throw new Refused(
                        431, "The request line and headers may have " + limit + " bytes.");
            }
            if (length == bytes.length) {
                grow();
            }
            bytes[length++] = in.readByte();
            if (endsWithEmptyLine()) {
                return Optional.of(parsed(scheme, local, remote));
            }
        }
        return Optional.empty();
    }

    /** Gives back what was counted for it. */
    public void release() {
        memory.release(bytes.length);
        bytes = new byte[0];
        length = 0;
    }

    private void grow() throws Refused {
        int size = Math.min(limit, Math.max(FIRST_BYTES, bytes.length * 2));
        if (!memory.tryHold(size - bytes.length)) {
            throw new Refused(503, "The server has too many clients that have not logged in.");
        }
        bytes = Arrays.copyOf(bytes, size);
    }

    private boolean endsWithEmptyLine() {
        return bytes[length - 1] == '\n'
                && length >= 4
                && bytes[length - 2] == '\r'
                && bytes[length - 3] == '\n'
                && bytes[length - 4] == '\r';
    }

    private HttpRequest parsed(String scheme, InetSocketAddress local, InetSocketAddress remote)
            throws Refused {
        String[] lines =
                new String(bytes, 0, length - 4, StandardCharsets.ISO_8859_1).split("\r\n", -1);
        String[] first = lines[0].split(" ", -1);
        if (first.length != 3 || !first[2].startsWith("HTTP/1.") || first[1].isEmpty()) {
            throw new Refused(400, "The request is not valid HTTP.");
        }
        Headers headers = headers(lines);
        if (headers.all("Host").size() != 1) {
            throw new Refused(400, "The request needs one Host header.");
        }
        return new HttpRequest(
                first[0],
                first[1],
                "",
                headers,
                Bytes.EMPTY,
                scheme,
                headers.find("Host").orElseThrow(),
                local,
                remote);
    }

    private static Headers headers(String[] lines) throws Refused {
        Headers.Builder headers = Headers.builder();
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            try {
                if (colon < 1) {
                    throw new Refused(400, "A header of the request has no name.");
                }
                headers.add(lines[i].substring(0, colon), lines[i].substring(colon + 1).strip());
            } catch (IllegalArgumentException notAHeader) {
                throw new Refused(400, "A header of the request is not valid HTTP.");
            }
        }
        return headers.build();
    }

    /** Returns a reply as the bytes that are sent. The connection ends behind it. */
    public static byte[] bytes(HttpReply reply) {
        StringBuilder head =
                new StringBuilder("HTTP/1.1 ")
                        .append(reply.status())
                        .append(' ')
                        .append(reason(reply.status()))
                        .append("\r\n");
        reply.headers().forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
        head.append("Content-Length: ").append(reply.bodyLength()).append("\r\n\r\n");
        StringBuilder body = new StringBuilder();
        reply.body().forEach(piece -> body.append(piece.toUtf8()));
        return head.append(body).toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String reason(int status) {
        return switch (status) {
            case 400 -> "Bad Request";
            case 403 -> "Forbidden";
            case 421 -> "Misdirected Request";
            case 426 -> "Upgrade Required";
            case 431 -> "Request Header Fields Too Large";
            case 503 -> "Service Unavailable";
            default -> "Refused";
        };
    }
}
