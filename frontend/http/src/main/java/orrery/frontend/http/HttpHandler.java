package orrery.frontend.http;

/**
 * Answers requests. Called on a thread per request, a virtual one as a rule, concurrently for
 * different connections and never concurrently for one; it may block. An exception becomes a 500 and one log line.
 */
@FunctionalInterface
public interface HttpHandler {
    /**
     * Answers one request. The thread is interrupted only when the server stops and its grace time
     * is over.
     */
    HttpReply handle(HttpRequest request) throws InterruptedException;
}
