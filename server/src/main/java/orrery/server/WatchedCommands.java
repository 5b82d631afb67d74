package orrery.server;

import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import orrery.frontend.mongo.CommandListener;
import orrery.query.mongo.MongoCode;
import orrery.server.audit.AuditEvent;
import orrery.server.audit.AuditLog;

/**
 * Counts the commands of the MongoDB API, and tells the audit log and the log of requests of them.
 * The code of a failure has the place of a status, and that of success is 0.
 */
final class WatchedCommands implements CommandListener {
    private static final String API = "mongodb";

    private final Optional<AuditLog> audit;
    private final boolean logs;
    private final InstantSource clock;
    private final Map<Integer, LongAdder> counts = new ConcurrentHashMap<>();

    /**
     * @param logs whether each command has a line in the log of requests
     */
    WatchedCommands(Optional<AuditLog> audit, boolean logs, InstantSource clock) {
        this.audit = audit;
        this.logs = logs;
        this.clock = clock;
    }

    @Override
    public void answered(Answered command) {
        counts.computeIfAbsent(command.code(), _ -> new LongAdder()).increment();
        if (isRefused(command)) {
            keep(AuditEvent.Kind.REFUSED, command);
        } else if (command.isManagement()) {
            keep(AuditEvent.Kind.MANAGEMENT, command);
        }
        if (logs) {
            RequestLog.log(
                    new RequestLog.Line(
                            command.operation(),
                            command.link(),
                            command.code() + "/0",
                            Double.toString(Math.round(command.charge() * 100) / 100.0),
                            command.nanos(),
                            command.activityId().toString()));
        }
    }

    private static boolean isRefused(Answered command) {
        return command.code() == MongoCode.UNAUTHORIZED.number()
                || command.code() == MongoCode.AUTHENTICATION_FAILED.number();
    }

    private void keep(AuditEvent.Kind kind, Answered command) {
        audit.ifPresent(
                log ->
                        log.add(
                                new AuditEvent(
                                        clock.instant(),
                                        kind,
                                        command.activityId().toString(),
                                        command.remote().getAddress().getHostAddress(),
                                        command.principal(),
                                        command.operation(),
                                        command.link(),
                                        command.code(),
                                        0)));
    }

    /** Returns the number of answers of each kind. */
    Map<RequestCounts.Kind, Long> counts() {
        Map<RequestCounts.Kind, Long> sums = new java.util.LinkedHashMap<>();
        new TreeMap<>(counts)
                .forEach((code, count) -> sums.put(new RequestCounts.Kind(API, code), count.sum()));
        return sums;
    }
}
