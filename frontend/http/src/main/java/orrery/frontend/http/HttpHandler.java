package orrery.frontend.http;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Answers requests. Called on a thread per request, a virtual one as a rule, concurrently for
 * different connections and never concurrently for one; it may block. An exception becomes a 500
 * and one log line.
 */
@FunctionalInterface
public interface HttpHandler {
    /**
     * Answers one request. When its client leaves, {@link orrery.model.Cancellation#current} of the
     * thread is cancelled. The thread is interrupted only when the server stops and its grace time
     * is over.
     */
    HttpReply handle(HttpRequest request) throws InterruptedException;

    /**
     * Judges a request by its head alone, which is all there is yet: the body is empty. The server
     * asks this before it takes a byte of the body or tells a client to send one. Called on an
     * event loop: it must not block. By default everybody may send and counts as known.
     */
    default Admission admit(HttpRequest head) {
        return new Admission.Admitted(true, this);
    }

    /**
     * Returns true if a request asks for a change that is kept in the audit log: of the account, or
     * of anything in it but items. By default each request that is not a read.
     */
    default boolean isManagement(HttpRequest head) {
        return switch (head.method()) {
            case "GET", "HEAD", "OPTIONS" -> false;
            default -> true;
        };
    }

    /**
     * Names the type of resource that a request is about, for the audit log. By default it is every
     * second segment of a path, behind the one that our own APIs begin with; empty for the root.
     */
    default String resourceType(HttpRequest head) {
        List<String> segments =
                Arrays.stream(head.path().split("/"))
                        .filter(segment -> !segment.isEmpty())
                        .dropWhile("_orrery"::equals)
                        .toList();
        return segments.isEmpty()
                ? ""
                : segments.get((segments.size() - 1) / 2 * 2).toLowerCase(Locale.ROOT);
    }
}
