package orrery.frontend.http;

import java.util.List;
import orrery.model.Bytes;

/**
 * A complete reply. It goes out with Content-Length, Date and, when needed, Connection, which the
 * server adds; a handler must not set these. The body of a 204, a 304 or an answer to HEAD is not
 * sent.
 *
 * @param body in pieces that go out one after the other, so that a page of items need not be copied
 *     together
 */
public record HttpReply(int status, Headers headers, List<Bytes> body) {
    public HttpReply {
        if (status < 200 || status > 999) {
            throw new IllegalArgumentException("not a final status: " + status);
        }
        body = List.copyOf(body);
    }

    public static Builder status(int status) {
        return new Builder(status);
    }

    /** A reply without a body. */
    public static HttpReply empty(int status) {
        return new HttpReply(status, Headers.EMPTY, List.of());
    }

    public static HttpReply json(int status, Bytes body) {
        return status(status).header("Content-Type", "application/json").body(body).build();
    }

    /** The same with more headers, as pairs of name and value. */
    public HttpReply with(String... namesAndValues) {
        Headers.Builder more = Headers.builder();
        headers.forEach(more::add);
        Headers.of(namesAndValues).forEach(more::add);
        return new HttpReply(status, more.build(), body);
    }

    /** The sum of the pieces. */
    public long bodyLength() {
        long length = 0;
        for (var piece : body) {
            length += piece.length();
        }
        return length;
    }

    /** Collects a reply. */
    public static final class Builder {
        private final int status;
        private final Headers.Builder headers = Headers.builder();
        private List<Bytes> body = List.of();

        private Builder(int status) {
            this.status = status;
        }

        /** Adds a header; see {@link Headers.Builder#add} for what is refused. */
        public Builder header(CharSequence name, CharSequence value) {
            headers.add(name, value);
            return this;
        }

        public Builder body(Bytes whole) {
            body = List.of(whole);
            return this;
        }

        public Builder body(List<Bytes> pieces) {
            body = pieces;
            return this;
        }

        public HttpReply build() {
            return new HttpReply(status, headers.build(), body);
        }
    }
}
