package orrery.server;

import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import orrery.frontend.gremlin.RequestListener;
import orrery.server.audit.AuditEvent;
import orrery.server.audit.AuditLog;

/**
 * Counts the requests of the Gremlin API, and tells the audit log and the log of requests of them.
 * Clients know failures by the code of the service, so that has the place of a status. No traversal
 * changes anything but items.
 */
final class WatchedTraversals implements RequestListener {
    private static final String API = "gremlin";

    private final Optional<AuditLog> audit;
    private final boolean logs;
    private final InstantSource clock;
    private final Map<Integer, LongAdder> counts = new ConcurrentHashMap<>();

    /**
     * @param logs whether each request has a line in the log of requests
     */
    WatchedTraversals(Optional<AuditLog> audit, boolean logs, InstantSource clock) {
        this.audit = audit;
        this.logs = logs;
        this.clock = clock;
    }

    @Override
    public void answered(Answered request) {
        counts.computeIfAbsent(request.code(), _ -> new LongAdder()).increment();
        if (request.code() == 401 || request.code() == 403) {
            audit.ifPresent(log -> log.add(refusal(request)));
        }
        if (logs) {
            RequestLog.log(
                    new RequestLog.Line(
                            request.operation(),
                            request.link(),
                            request.code() + "/0",
                            Double.toString(Math.round(request.charge() * 100) / 100.0),
                            request.nanos(),
                            request.activityId().toString()));
        }
    }

    private AuditEvent refusal(Answered request) {
        return new AuditEvent(
                clock.instant(),
                AuditEvent.Kind.REFUSED,
                request.activityId().toString(),
                request.remote().getAddress().getHostAddress(),
                request.principal(),
                request.operation(),
                request.link(),
                request.code(),
                0);
    }

    /** Returns the number of answers of each kind. */
    Map<RequestCounts.Kind, Long> counts() {
        Map<RequestCounts.Kind, Long> sums = new LinkedHashMap<>();
        new TreeMap<>(counts)
                .forEach((code, count) -> sums.put(new RequestCounts.Kind(API, code), count.sum()));
        return sums;
    }
}
