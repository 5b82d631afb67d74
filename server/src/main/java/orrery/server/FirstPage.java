package orrery.server;

import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Locale;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import orrery.frontend.http.Admission;
import orrery.frontend.http.HttpHandler;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpRequest;
import orrery.model.Bytes;
import orrery.model.security.AccountKeys;

/**
 * Shows people with a browser what answers here. Clients ask for the same path with a signature, or
 * not for HTML; they get the account, or the 401, from the handler behind.
 */
final class FirstPage implements HttpHandler {
    private static final String STYLE =
            "body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:3rem auto;padding:0 1rem}"
                    + "code{background:#8882;padding:.1em .3em;overflow-wrap:anywhere}"
                    + "dt{font-weight:600;margin-top:1rem}dd{margin:0}";

    private static final String POLICY =
            "default-src 'none'; style-src 'sha256-"
                    + sha256(STYLE)
                    + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final HttpHandler inner;
    private final Supplier<URI> endpoint;
    private final IntSupplier statusPort;
    private final Supplier<AccountKeys> keys;

    FirstPage(
            HttpHandler inner,
            Supplier<URI> endpoint,
            IntSupplier statusPort,
            Supplier<AccountKeys> keys) {
        this.inner = inner;
        this.endpoint = endpoint;
        this.statusPort = statusPort;
        this.keys = keys;
    }

    @Override
    public HttpReply handle(HttpRequest request) throws InterruptedException {
        return admit(request).answer(request);
    }

    @Override
    public Admission admit(HttpRequest head) {
        return isOfPerson(head) ? new Admission.Admitted(false, this::page) : inner.admit(head);
    }

    private static boolean isOfPerson(HttpRequest head) {
        boolean isRead = head.method().equals("GET") || head.method().equals("HEAD");
        return isRead
                && head.path().equals("/")
                && !head.headers().contains("authorization")
                && head.header("Accept")
                        .filter(types -> types.toLowerCase(Locale.ROOT).contains("text/html"))
                        .isPresent();
    }

    private HttpReply page(HttpRequest request) {
        String html =
                """
                <!doctype html>
                <html lang="en">
                <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Orrery</title>\
                <style>%s</style></head>
                <body>
                <h1>Orrery</h1>
                <p>This is Orrery %s, a database that speaks the APIs of Azure Cosmos DB. It runs.</p>
                <dl>
                <dt>Endpoint</dt><dd><code>%s</code></dd>
                <dt>%s</dt><dd>%s</dd>
                <dt>Certificate to trust</dt><dd><a href="/_orrery/ca.crt">/_orrery/ca.crt</a>; \
                <code>orrery cert</code> says how to import it. Plain HTTP works on this port as well.</dd>
                <dt>Status</dt><dd><a href="%s">%s</a></dd>
                </dl>
                </body>
                </html>
                """
                        .formatted(
                                STYLE,
                                escape(Main.version()),
                                escape(endpoint.get().toString()),
                                isOpenTo(request) ? "Connection string" : "Key",
                                isOpenTo(request)
                                        ? "<code>" + escape(connectionString()) + "</code>"
                                        : "<code>orrery keys show</code> prints the keys of the"
                                                + " account, on the server's machine.",
                                escape(statusAddress(request)),
                                escape(statusAddress(request)));
        return HttpReply.status(200)
                .header("Content-Type", "text/html; charset=utf-8")
                .header("Content-Security-Policy", POLICY)
                .header("X-Content-Type-Options", "nosniff")
                .header("Referrer-Policy", "no-referrer")
                .header("Cache-Control", "no-store")
                .header("Vary", "Accept, Authorization")
                .body(Bytes.ofUtf8(html))
                .build();
    }

    /** The published key is no secret, and it opens the account to who is on this machine. */
    private boolean isOpenTo(HttpRequest request) {
        InetAddress remote = request.remote().getAddress();
        return remote != null
                && remote.isLoopbackAddress()
                && keys.get().primary().equals(AccountKeys.WELL_KNOWN_KEY);
    }

    private String connectionString() {
        return "AccountEndpoint="
                + endpoint.get()
                + ";AccountKey="
                + AccountKeys.WELL_KNOWN_KEY
                + ";";
    }

    /** The status port speaks plain HTTP, on the host that the browser asked for. */
    private String statusAddress(HttpRequest request) {
        String authority = request.authority();
        int colon = authority.indexOf(':', authority.lastIndexOf(']') + 1);
        String host = colon < 0 ? authority : authority.substring(0, colon);
        return "http://" + host + ":" + statusPort.getAsInt() + "/status";
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    private static String sha256(String text) {
        try {
            return Base64.getEncoder()
                    .encodeToString(
                            MessageDigest.getInstance("SHA-256")
                                    .digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every JDK has SHA-256", missing);
        }
    }
}
