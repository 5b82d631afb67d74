package orrery.frontend.gremlin.socket;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import orrery.frontend.http.Admission;
import orrery.frontend.http.Headers;
import orrery.frontend.http.HttpHandler;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpRequest;
import orrery.model.Bytes;

/**
 * Admits requests that ask for WebSocket, on any path. All others hear what the port is for. No
 * subprotocol and no extension is agreed, whatever the client offers.
 */
public final class Upgrade implements HttpHandler {
    private static final String VERSION = "13";

    /** Every server proves with these words that it has read the key. RFC 6455, 1.3. */
    private static final String PROOF = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private static final int KEY_BYTES = 16;

    @Override
    public Admission admit(HttpRequest head) {
        return isUpgrade(head)
                ? new Admission.Admitted(false, this)
                : new Admission.Refused(handle(head));
    }

    /** Answers a request that asks for something else. */
    @Override
    public HttpReply handle(HttpRequest request) {
        return HttpReply.status(426)
                .header("Upgrade", "websocket")
                .header("Connection", "Upgrade, close")
                .header("Sec-WebSocket-Version", VERSION)
                .header("Content-Type", "text/plain; charset=utf-8")
                .body(
                        Bytes.ofUtf8(
                                "This is the port of the Gremlin API, which speaks WebSocket"
                                        + " (version 13). Connect a Gremlin driver to it; the SQL"
                                        + " API has another port.\n"))
                .build();
    }

    private static boolean isUpgrade(HttpRequest head) {
        return head.method().equals("GET")
                && names(head, "Upgrade", "websocket")
                && names(head, "Connection", "upgrade")
                && head.header("Sec-WebSocket-Version").filter(VERSION::equals).isPresent()
                && head.header("Sec-WebSocket-Key").filter(Upgrade::isKey).isPresent();
    }

    private static boolean names(HttpRequest head, String header, String token) {
        return head.headers().all(header).stream()
                .flatMap(value -> Arrays.stream(value.split(",")))
                .anyMatch(part -> part.strip().toLowerCase(Locale.ROOT).equals(token));
    }

    private static boolean isKey(String key) {
        try {
            return Base64.getDecoder().decode(key).length == KEY_BYTES;
        } catch (IllegalArgumentException notBase64) {
            return false;
        }
    }

    /**
     * Returns a request as the rules for pages in browsers should see it. Drivers made with Netty
     * name the server itself as their origin, and no browser sends that without telling its name.
     */
    public static HttpRequest asOfDriver(HttpRequest head) {
        boolean isOfBrowser =
                head.header("User-Agent").filter(name -> name.contains("Mozilla/")).isPresent()
                        || head.header("Accept-Language").isPresent();
        boolean isOwn =
                head.header("Origin")
                        .filter(origin -> origin.endsWith("://" + head.authority()))
                        .isPresent();
        if (isOfBrowser || !isOwn) {
            return head;
        }
        Headers.Builder others = Headers.builder();
        head.headers()
                .forEach(
                        (name, value) -> {
                            if (!name.equalsIgnoreCase("Origin")) {
                                others.add(name, value);
                            }
                        });
        return new HttpRequest(
                head.method(),
                head.path(),
                head.query(),
                others.build(),
                head.body(),
                head.scheme(),
                head.authority(),
                head.local(),
                head.remote());
    }

    /** Returns the answer after which both sides speak WebSocket. */
    public static byte[] accepted(HttpRequest head) {
        String key = head.header("Sec-WebSocket-Key").orElseThrow();
        return ("HTTP/1.1 101 Switching Protocols\r\n"
                        + "Upgrade: websocket\r\n"
                        + "Connection: Upgrade\r\n"
                        + "Sec-WebSocket-Accept: "
                        + Base64.getEncoder().encodeToString(sha1(key + PROOF))
                        + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] sha1(String text) {
        try {
            return MessageDigest.getInstance("SHA-1")
                    .digest(text.getBytes(StandardCharsets.US_ASCII));
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every JDK has SHA-1", missing);
        }
    }
}
