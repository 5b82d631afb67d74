package orrery.server;

import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;
import orrery.frontend.http.Admission;
import orrery.frontend.http.HttpHandler;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpRequest;

/** Counts what a handler answers. */
final class RequestCounts implements HttpHandler {
    /** The labels that requests are counted by: an API and a status, so there are not many. */
    record Kind(String api, int status) {}

    private final HttpHandler inner;
    private final UnaryOperator<String> apis;
    private final Map<Kind, LongAdder> counts = new ConcurrentHashMap<>();

    /**
     * @param apis the name of the API that answers a path
     */
    RequestCounts(HttpHandler inner, UnaryOperator<String> apis) {
        this.inner = inner;
        this.apis = apis;
    }

    @Override
    public HttpReply handle(HttpRequest request) throws InterruptedException {
        return admit(request).answer(request);
    }

    @Override
    public Admission admit(HttpRequest head) {
        String api = apis.apply(head.path());
        return inner.admit(head).changing(reply -> counted(api, reply));
    }

    private HttpReply counted(String api, HttpReply reply) {
        counts.computeIfAbsent(new Kind(api, reply.status()), _ -> new LongAdder()).increment();
        return reply;
    }

    /** Returns the number of answers of each kind. */
    Map<Kind, Long> counts() {
        Map<Kind, Long> sums =
                new TreeMap<>(Comparator.comparing(Kind::api).thenComparing(Kind::status));
        counts.forEach((kind, count) -> sums.put(kind, count.sum()));
        return sums;
    }
}
