package orrery.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import orrery.frontend.http.Admission;
import orrery.frontend.http.HttpHandler;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpRequest;
import orrery.model.RequestContext.Principal;
import orrery.model.security.KeyKind;
import orrery.server.audit.AuditEvent;
import orrery.server.audit.AuditLog;

/**
 * Tells the audit log of the requests of a port: of changes of anything but items, and of those
 * that are refused for who sent them.
 */
final class AuditedRequests implements HttpHandler {
    private static final String ACTIVITY_ID = "x-ms-activity-id";

    /** The same in the Table API. */
    private static final String REQUEST_ID = "x-ms-request-id";

    private static final String SUBSTATUS = "x-ms-substatus";

    /** Substatus of a 403 that is about space or numbers, and not about who asks. */
    private static final List<String> FULL = List.of("1005", "1014");

    /** To these a 403 says only that something is full. */
    private static final List<String> MAY_DO_ALL =
            List.of(
                    new Principal.Account(KeyKind.PRIMARY).kind(),
                    new Principal.Account(KeyKind.SECONDARY).kind(),
                    AccountEndpoint.OWNER);

    private final HttpHandler inner;
    private final HttpHandler api;
    private final AuditLog log;
    private final InstantSource clock;

    /**
     * @param api tells what a request is about, and whether that is more than items
     */
    AuditedRequests(HttpHandler inner, HttpHandler api, AuditLog log, InstantSource clock) {
        this.inner = inner;
        this.api = api;
        this.log = log;
        this.clock = clock;
    }

    @Override
    public HttpReply handle(HttpRequest request) throws InterruptedException {
        return admit(request).answer(request);
    }

    @Override
    public Admission admit(HttpRequest head) {
        Admission admission = inner.admit(head);
        return admission.changing(reply -> kept(head, admission.sender(), reply));
    }

    private HttpReply kept(HttpRequest head, String sender, HttpReply reply) {
        if (isRefused(sender, reply)) {
            return kept(AuditEvent.Kind.REFUSED, head, sender, reply);
        }
        return api.isManagement(head)
                ? kept(AuditEvent.Kind.MANAGEMENT, head, sender, reply)
                : reply;
    }

    private static boolean isRefused(String sender, HttpReply reply) {
        return switch (reply.status()) {
            case 401, 421 -> true;
            case 403 ->
                    !MAY_DO_ALL.contains(sender)
                            && reply.headers().find(SUBSTATUS).filter(FULL::contains).isEmpty();
            default -> false;
        };
    }

    /** Gives the reply an activity id if it has none, so that its line can be found. */
    private HttpReply kept(AuditEvent.Kind kind, HttpRequest head, String sender, HttpReply reply) {
        HttpReply told =
                id(reply).isPresent()
                        ? reply
                        : reply.with(ACTIVITY_ID, UUID.randomUUID().toString());
        log.add(
                new AuditEvent(
                        clock.instant(),
                        kind,
                        id(told).orElseThrow(),
                        client(head.remote()),
                        sender,
                        operation(head),
                        head.path(),
                        reply.status(),
                        reply.headers().find(SUBSTATUS).map(Integer::parseInt).orElse(0)));
        return told;
    }

    private static Optional<String> id(HttpReply reply) {
        return reply.headers().find(ACTIVITY_ID).or(() -> reply.headers().find(REQUEST_ID));
    }

    private static String client(InetSocketAddress remote) {
        InetAddress address = remote.getAddress();
        return address == null ? remote.getHostString() : address.getHostAddress();
    }

    private String operation(HttpRequest head) {
        String type = api.resourceType(head);
        return type.isEmpty() ? head.method() : head.method() + " " + type;
    }
}
