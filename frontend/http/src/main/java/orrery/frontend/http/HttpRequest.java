package orrery.frontend.http;

import java.net.InetSocketAddress;
import java.util.Optional;
import orrery.model.Bytes;

/**
 * A complete request as it came over the wire: path and query are raw, nothing is percent-decoded
 * and a {@code +} stays a {@code +}.
 *
 * @param method upper-case as sent, any token
 * @param path begins with {@code /} (or is {@code *} for OPTIONS)
 * @param query what follows the first {@code ?}, without it; empty when there is none
 * @param scheme {@code http} or {@code https}, as the client reached us
 * @param authority host and port as the client named us, or the local address if it did not
 */
public record HttpRequest(
        String method,
        String path,
        String query,
        Headers headers,
        Bytes body,
        String scheme,
        String authority,
        InetSocketAddress local,
        InetSocketAddress remote) {

    /** The first non-empty value of a header. */
    public Optional<String> header(CharSequence name) {
        return headers.find(name);
    }

    HttpRequest withBody(Bytes whole) {
        return new HttpRequest(
                method, path, query, headers, whole, scheme, authority, local, remote);
    }

    /** A request that came over no connection, for tests of handlers. */
    public static HttpRequest of(String method, String target, Headers headers, Bytes body) {
        var nowhere = InetSocketAddress.createUnresolved("localhost", 0);
        int mark = target.indexOf('?');
        return new HttpRequest(
                method,
                mark < 0 ? target : target.substring(0, mark),
                mark < 0 ? "" : target.substring(mark + 1),
                headers,
                body,
                "http",
                headers.find("Host").orElse("localhost"),
                nowhere,
                nowhere);
    }
}
