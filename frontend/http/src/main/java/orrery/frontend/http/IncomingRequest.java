package orrery.frontend.http;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import orrery.model.Bytes;

/**
 * The request that a connection receives: its head, the handler's judgement of the head, and the
 * body so far. It decides which requests are refused before their end. Belongs to the event loop of
 * the connection.
 */
final class IncomingRequest {
    /**
     * Ends the request and, after this reply, the connection.
     *
     * @param isUploading the client is in the middle of a body
     */
    record Refusal(HttpReply reply, boolean isUploading) {}

    private final HttpServer server;
    private final HttpLimits limits;
    private final ConnectionBytes<Connection> bytes;

    /** Over the connection limit: its first request is answered with 503. */
    private final boolean isSurplus;

    private final RequestBody body;
    private @Nullable RequestHead head;
    private @Nullable HttpRequest request;
    private @Nullable Admission admission;

    IncomingRequest(
            HttpServer server,
            HttpLimits limits,
            ConnectionBytes<Connection> bytes,
            boolean isSurplus) {
        this.server = server;
        this.limits = limits;
        this.bytes = bytes;
        this.isSurplus = isSurplus;
        this.body = new RequestBody(limits.maxBodyBytes(), bytes::tryHold);
    }

    /** Takes a part of a head of which so many bytes have arrived. */
    Optional<Refusal> partialHead(int bytesSoFar) {
        return bytes.tryHoldHead(bytesSoFar) ? Optional.empty() : noRoom();
    }

    /** Takes the whole head. */
    Optional<Refusal> head(io.netty.handler.codec.http.HttpRequest decoded, Channel channel) {
        RequestHead head;
        try {
            head = RequestHead.of(decoded, limits.maxHeadBytes());
        } catch (RequestHead.Refused refused) {
            return Optional.of(refusal(refused.status, refused.text()));
        }
        this.head = head;
        if (isSurplus) {
            return unavailable("The server has too many open connections.");
        }
        HttpRequest request = request(head, channel);
        Admission admission = server.admit(request);
        this.request = request;
        this.admission = admission;
        if (admission instanceof Admission.Admitted admitted && admitted.isKnown()) {
            bytes.recognize();
        }
        // A client that asked first whether to send will not send now.
        boolean sendsBody = head.contentLength() != 0 && !head.expectsContinue();
        if (admission instanceof Admission.Refused(HttpReply reply) && head.contentLength() != 0) {
            return Optional.of(new Refusal(reply, sendsBody));
        }
        if (head.contentLength() > limits.maxBodyBytes()) {
            return tooLong(sendsBody);
        }
        return body.begin(head.contentLength()) ? Optional.empty() : noRoom();
    }

    /** Returns true if the client sends its body only after it was told to. */
    boolean awaitsContinue() {
        return head != null && head.expectsContinue() && head.contentLength() != 0;
    }

    /** Takes the next part of the body. */
    Optional<Refusal> content(HttpContent content) {
        if (content.decoderResult().isFailure()) {
            return Optional.of(refusal(400, "The chunked body of the request is not valid."));
        }
        return switch (body.append(content.content())) {
            case TOO_LONG -> tooLong(!(content instanceof LastHttpContent));
            case NO_ROOM -> noRoom();
            case TAKEN -> Optional.empty();
        };
    }

    /** Makes a refusal with a rendered error. */
    Refusal refusal(int status, String text) {
        return new Refusal(server.error(status, text), false);
    }

    /** Returns true if the reply must not have a body, as the method is HEAD. */
    boolean asksForHead() {
        return head != null && head.method().equals("HEAD");
    }

    /** Returns true if the client passes over replies that are not final. */
    boolean mayHearOfProgress() {
        return head != null && !head.isHttp10();
    }

    /** Returns the end of the reply that the client asked for. */
    ReplyWriter.Ending ending() {
        if (head == null || !head.isKeptAlive()) {
            return ReplyWriter.Ending.CLOSE;
        }
        return head.isHttp10() ? ReplyWriter.Ending.SAY_KEEP_ALIVE : ReplyWriter.Ending.KEEP_ALIVE;
    }

    /** The judgement of the head. */
    Admission admission() {
        if (admission == null) {
            throw new IllegalStateException("no head was judged");
        }
        return admission;
    }

    /** Hands the whole request over, and keeps nothing of its body. */
    HttpRequest take() {
        if (request == null) {
            throw new IllegalStateException("no request was received");
        }
        return request.withBody(body.take());
    }

    /** Frees the memory of the body, when nobody will read it. */
    void dropBody() {
        body.clear();
    }

    void clear() {
        head = null;
        request = null;
        admission = null;
        body.clear();
    }

    private Optional<Refusal> tooLong(boolean isUploading) {
        String text = "The request body is larger than " + limits.maxBodyBytes() + " bytes.";
        return Optional.of(new Refusal(server.error(413, text), isUploading));
    }

    private Optional<Refusal> noRoom() {
        return unavailable("The server holds too many requests at this moment.");
    }

    private Optional<Refusal> unavailable(String text) {
        return Optional.of(new Refusal(server.withRetryAfter(server.error(503, text)), false));
    }

    private static HttpRequest request(RequestHead head, Channel channel) {
        var local = (InetSocketAddress) channel.localAddress();
        return new HttpRequest(
                head.method(),
                head.path(),
                head.query(),
                head.headers(),
                Bytes.EMPTY,
                channel.pipeline().get(SslHandler.class) != null ? "https" : "http",
                head.authority().isEmpty() ? authorityOf(local) : head.authority(),
                local,
                (InetSocketAddress) channel.remoteAddress());
    }

    private static String authorityOf(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
