package orrery.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
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
    private static final String OWN_APIS = "_orrery";

    /** Substatus of a 403 that is about space or numbers, and not about who asks. */
    private static final List<String> FULL = List.of("1005", "1014");

    /** To these a 403 says only that something is full. */
    private static final List<String> MAY_DO_ALL =
            List.of(
                    new Principal.Account(KeyKind.PRIMARY).kind(),
                    new Principal.Account(KeyKind.SECONDARY).kind(),
                    AccountEndpoint.OWNER);

    private final HttpHandler inner;
    private final Predicate<HttpRequest> isManagement;
    private final AuditLog log;
    private final InstantSource clock;

    /**
     * @param isManagement tells the requests that ask for a change of something other than items
     */
    AuditedRequests(
            HttpHandler inner,
            Predicate<HttpRequest> isManagement,
            AuditLog log,
            InstantSource clock) {
        this.inner = inner;
        this.isManagement = isManagement;
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
        return isManagement.test(head)
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

    /** Returns the verb and the type of resource, which is every second segment of a path. */
    private static String operation(HttpRequest head) {
        List<String> segments =
                Arrays.stream(head.path().split("/"))
                        .filter(segment -> !segment.isEmpty())
                        .toList();
        List<String> own =
                !segments.isEmpty() && segments.getFirst().equals(OWN_APIS)
                        ? segments.subList(1, segments.size())
                        : segments;
        int types = own.size() - (own.size() % 2 == 0 ? 2 : 1);
        return own.isEmpty()
                ? head.method()
                : head.method() + " " + own.get(types).toLowerCase(Locale.ROOT);
    }
}
