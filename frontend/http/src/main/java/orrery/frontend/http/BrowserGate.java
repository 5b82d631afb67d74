package orrery.frontend.http;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Stands before a handler and decides which pages in browsers may use it. A page of a foreign
 * origin gets no permission to read (CORS). Where the handler trusts whoever reaches it, with a key
 * that everybody knows or with none, that is not enough: a page may give its own name the address
 * of this machine, and is then no foreigner any more. Therefore {@link HostRule}.
 */
public final class BrowserGate implements HttpHandler {
    /** Decides which requests must name this machine in their Host header. */
    public enum HostRule {
        /** Every request. Suits APIs that change data with the well-known key. */
        EVERY_REQUEST,
        /**
         * Only requests of browsers. Suits pages that programs may read under any host name, and
         * web pages must not read.
         */
        BROWSERS,
        /** No request. Suits APIs that secret keys protect. */
        NONE
    }

    private static final String METHODS = "GET, POST, PUT, PATCH, DELETE, OPTIONS";
    private static final String SECONDS_TO_REMEMBER = "3600";

    private final HttpHandler inner;
    private final Supplier<HostRule> rule;
    private final Set<WebOrigin> origins;
    private final Optional<URI> advertised;
    private final PageRules rules;
    private final ErrorRenderer errors;

    /**
     * @param rule the one of this moment: it follows the keys of the account
     * @param origins whose pages may use the handler, besides those of this machine
     * @param advertised the name that clients are told, which counts as one of this machine
     * @param rules let in pages of further origins
     */
    public BrowserGate(
            HttpHandler inner,
            Supplier<HostRule> rule,
            Set<WebOrigin> origins,
            Optional<URI> advertised,
            PageRules rules,
            ErrorRenderer errors) {
        this.inner = inner;
        this.rule = rule;
        this.origins = Set.copyOf(origins);
        this.advertised = advertised;
        this.rules = rules;
        this.errors = errors;
    }

    @Override
    public HttpReply handle(HttpRequest request) throws InterruptedException {
        return admit(request).answer(request);
    }

    @Override
    public Admission admit(HttpRequest head) {
        String origin = head.headers().get("Origin");
        boolean isChecked = isChecked(head);
        if (isChecked && !isOurs(head.authority())) {
            return refused(421, misdirected(head));
        }
        if (origin == null) {
            return isChecked && isForeignElement(head)
                    ? refused(403, "Pages of other sites may not use this server.")
                    : inner.admit(head);
        }
        if (head.method().equals("OPTIONS")) {
            return isAllowed(origin)
                    ? new Admission.Admitted(false, _ -> permission(head, origin))
                    : new Admission.Refused(
                            rules.preflight(head, origin)
                                    .orElseGet(() -> errors.render(403, forbidden(origin))));
        }
        Optional<UnaryOperator<HttpReply>> reading =
                isAllowed(origin)
                        ? Optional.of(reply -> readable(reply, origin))
                        : rules.reading(head, origin);
        if (reading.isPresent()) {
            return inner.admit(head).changing(reading.get());
        }
        return isChecked
                ? refused(403, forbidden(origin))
                : inner.admit(head).changing(reply -> reply.with("Vary", "Origin"));
    }

    private boolean isChecked(HttpRequest head) {
        return switch (rule.get()) {
            case EVERY_REQUEST -> true;
            case BROWSERS -> isOfBrowser(head);
            case NONE -> false;
        };
    }

    /**
     * Browsers leave out Origin and Sec-Fetch-* where a page without TLS asks its own name. What
     * they then still send, and no page can take away, are the languages of their user and the
     * compressions they know; scrapers and probes know gzip alone, or none.
     */
    private static boolean isOfBrowser(HttpRequest head) {
        Headers headers = head.headers();
        return headers.contains("Origin")
                || headers.contains("Sec-Fetch-Site")
                || headers.contains("Sec-Fetch-Mode")
                || headers.contains("Sec-Fetch-Dest")
                || headers.contains("Referer")
                || headers.contains("Accept-Language")
                || headers.find("User-Agent").filter(name -> name.contains("Mozilla/")).isPresent()
                || headers.find("Accept-Encoding")
                        .filter(known -> known.toLowerCase(Locale.ROOT).contains("deflate"))
                        .isPresent();
    }

    private boolean isOurs(String authority) {
        String host = WebOrigin.hostOf(authority);
        return WebOrigin.isLoopback(host)
                || advertised.filter(url -> host.equalsIgnoreCase(url.getHost())).isPresent();
    }

    private boolean isAllowed(String text) {
        Optional<WebOrigin> origin = WebOrigin.parse(text);
        return origin.isPresent()
                && (origin.get().isLoopback()
                        || origins.contains(origin.get())
                        || origin.equals(advertised.flatMap(BrowserGate::originOf)));
    }

    private static Optional<WebOrigin> originOf(URI url) {
        return WebOrigin.parse(url.getScheme() + "://" + url.getAuthority());
    }

    /** An image, a script or a form of another site; not a link that a person follows. */
    private static boolean isForeignElement(HttpRequest head) {
        boolean isRead = head.method().equals("GET") || head.method().equals("HEAD");
        return "cross-site".equals(head.headers().get("Sec-Fetch-Site"))
                && !(isRead && "navigate".equals(head.headers().get("Sec-Fetch-Mode")));
    }

    /** Answers what a browser asks before it sends a request of another origin. */
    private static HttpReply permission(HttpRequest head, String origin) {
        HttpReply.Builder reply =
                HttpReply.status(200)
                        .header("Access-Control-Allow-Methods", METHODS)
                        .header(
                                "Access-Control-Allow-Headers",
                                head.header("Access-Control-Request-Headers")
                                        .filter(BrowserGate::isPlain)
                                        .orElse("authorization, content-type, x-ms-date"))
                        .header("Access-Control-Max-Age", SECONDS_TO_REMEMBER);
        if (head.header("Access-Control-Request-Private-Network").isPresent()) {
            reply.header("Access-Control-Allow-Private-Network", "true");
        }
        return readable(reply.build(), origin);
    }

    /** Lets the page read the reply with all its headers. */
    private static HttpReply readable(HttpReply reply, String origin) {
        List<String> names = new ArrayList<>();
        reply.headers().forEach((name, _) -> names.add(name));
        return reply.with(
                "Access-Control-Allow-Origin",
                origin,
                "Access-Control-Expose-Headers",
                String.join(",", names),
                "Vary",
                "Origin");
    }

    private Admission refused(int status, String text) {
        return new Admission.Refused(errors.render(status, text));
    }

    private static String misdirected(HttpRequest head) {
        return "This server is not '"
                + WebOrigin.hostOf(head.authority())
                + "'. Ask for localhost, or start the server with --advertise and the name that"
                + " clients use.";
    }

    private static String forbidden(String origin) {
        return "Pages of "
                + (isPlain(origin) ? origin : "this origin")
                + " may not use this server. Start it with --cors and their origin to let them.";
    }

    private static boolean isPlain(String text) {
        return text.chars().allMatch(c -> c >= 0x20 && c < 0x7F);
    }
}
