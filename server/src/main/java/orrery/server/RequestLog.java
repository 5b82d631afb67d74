package orrery.server;

import java.lang.System.Logger;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import orrery.frontend.http.Admission;
import orrery.frontend.http.HttpHandler;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpRequest;

/**
 * Writes a line for each request: method, path, status and substatus, request units, milliseconds
 * and activity id. Keys, signatures, queries and bodies are in none.
 */
final class RequestLog implements HttpHandler {
    static final String NAME = "orrery.requests";

    private static final Logger LOG = System.getLogger(NAME);
    private static final int MOST_OF_A_PATH = 1024;

    private final HttpHandler inner;
    private final LongSupplier nanoTime;

    RequestLog(HttpHandler inner, LongSupplier nanoTime) {
        this.inner = inner;
        this.nanoTime = nanoTime;
    }

    @Override
    public HttpReply handle(HttpRequest request) throws InterruptedException {
        return admit(request).answer(request);
    }

    @Override
    public Admission admit(HttpRequest head) {
        long began = nanoTime.getAsLong();
        return inner.admit(head).changing(reply -> logged(head, reply, began));
    }

    private HttpReply logged(HttpRequest head, HttpReply reply, long began) {
        log(
                new Line(
                        head.method(),
                        head.path(),
                        reply.status() + "/" + header(reply, "x-ms-substatus", "0"),
                        header(reply, "x-ms-request-charge", "0"),
                        nanoTime.getAsLong() - began,
                        header(reply, "x-ms-activity-id", header(reply, "x-ms-request-id", "-"))));
        return reply;
    }

    /**
     * The content of a line.
     *
     * @param method or the name of a command
     * @param path or what a command is about
     */
    record Line(
            String method,
            String path,
            String status,
            String charge,
            long nanos,
            String activityId) {}

    static void log(Line line) {
        LOG.log(
                Logger.Level.INFO,
                () ->
                        String.format(
                                Locale.ROOT,
                                "%s %s %s %s RU %.1f ms %s",
                                printable(line.method()),
                                printable(line.path()),
                                line.status(),
                                line.charge(),
                                TimeUnit.NANOSECONDS.toMicros(line.nanos()) / 1000.0,
                                line.activityId()));
    }

    private static String header(HttpReply reply, String name, String otherwise) {
        return reply.headers().find(name).orElse(otherwise);
    }

    /** One line stays one line, whatever a client sends. */
    private static String printable(String text) {
        String bounded =
                text.length() > MOST_OF_A_PATH ? text.substring(0, MOST_OF_A_PATH) + "…" : text;
        StringBuilder line = new StringBuilder(bounded.length());
        bounded.codePoints()
                .forEach(
                        c -> {
                            if (Character.isISOControl(c) || Character.isWhitespace(c)) {
                                line.append(String.format(Locale.ROOT, "%%%02X", c));
                            } else {
                                line.appendCodePoint(c);
                            }
                        });
        return line.toString();
    }
}
