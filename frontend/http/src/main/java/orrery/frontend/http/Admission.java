package orrery.frontend.http;

import java.util.function.UnaryOperator;

/** The judgement of a request whose head has been read and whose body has not. */
public sealed interface Admission {
    /** The sender of a request that shows no credential, or none that is good. */
    String NOBODY = "none";

    /** The reply to the whole request. */
    HttpReply answer(HttpRequest whole) throws InterruptedException;

    /** The kind of credential that the sender has shown; {@link #NOBODY} where it showed none. */
    String sender();

    /** The same with another reply in the end. */
    Admission changing(UnaryOperator<HttpReply> change);

    /**
     * The body is read, and the handler answers the whole request.
     *
     * @param isKnown the client has shown who it is, or need not. The others are strangers: what
     *     they send has a small share of the memory, and they go first when connections are short.
     */
    record Admitted(boolean isKnown, String sender, HttpHandler handler) implements Admission {
        /** Admits a request for which nobody has to show a credential. */
        public Admitted(boolean isKnown, HttpHandler handler) {
            this(isKnown, NOBODY, handler);
        }

        @Override
        public HttpReply answer(HttpRequest whole) throws InterruptedException {
            return handler.handle(whole);
        }

        @Override
        public Admission changing(UnaryOperator<HttpReply> change) {
            return new Admitted(isKnown, sender, whole -> change.apply(handler.handle(whole)));
        }
    }

    /** The body is not read. If there is one, the connection ends with this reply. */
    record Refused(HttpReply reply) implements Admission {
        @Override
        public HttpReply answer(HttpRequest whole) {
            return reply;
        }

        @Override
        public String sender() {
            return NOBODY;
        }

        @Override
        public Admission changing(UnaryOperator<HttpReply> change) {
            return new Refused(change.apply(reply));
        }
    }
}
