package orrery.frontend.sql;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.frontend.http.Headers;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpRequest;
import orrery.frontend.rest.Json;
import orrery.frontend.rest.KeyAuthenticator;
import orrery.frontend.rest.KeyPolicy;
import orrery.gateway.api.Items;
import orrery.gateway.api.Resources;
import orrery.gateway.fake.FakeResources;
import orrery.model.Bytes;
import orrery.model.security.AccountKeys;

/** Calls an endpoint as an SDK does: signed by the published rules, written here anew. */
final class TestClient {
    static final String DATE = "Sun, 15 Nov 2026 06:34:56 GMT";
    static final Instant NOW = Instant.parse("2026-11-15T06:34:56Z");
    static final String SECOND = "b3duLXNlY29uZG93bi1zZWNvbmRvd24tc2Vjb25kb3c=";
    static final String READ_ONLY = "b3duLXJlYWRvbmx5MW93bi1yZWFkb25seTFvd24tcmU=";
    static final String READ_ONLY_2 = "b3duLXJlYWRvbmx5Mm93bi1yZWFkb25seTJvd24tcmU=";
    static final AccountKeys KEYS =
            new AccountKeys(AccountKeys.WELL_KNOWN_KEY, SECOND, READ_ONLY, READ_ONLY_2);

    private final SqlEndpoint endpoint;
    private final String key;

    TestClient(SqlEndpoint endpoint) {
        this(endpoint, AccountKeys.WELL_KNOWN_KEY);
    }

    TestClient(SqlEndpoint endpoint, String key) {
        this.endpoint = endpoint;
        this.key = key;
    }

    static SqlEndpoint endpoint(Items items, Resources resources) {
        return endpoint(items, resources, SqlConfig.standard());
    }

    static SqlEndpoint endpoint(Items items, Resources resources, SqlConfig config) {
        return new SqlEndpoint(
                items,
                resources,
                new KeyAuthenticator(() -> KEYS, KeyPolicy.loopbackOnly(), () -> NOW),
                config);
    }

    /**
     * Returns a client of an account that has the container {@code /dbs/d/colls/c}, by {@code /pk}.
     */
    static TestClient withContainer(Items items) {
        return withContainer(items, new FakeResources());
    }

    static TestClient withContainer(Items items, Resources resources) {
        TestClient client = new TestClient(endpoint(items, resources));
        client.post("/dbs", "{\"id\":\"d\"}");
        client.post(
                "/dbs/d/colls",
                "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"version\":2}}");
        return client;
    }

    /** A reply with its body read. */
    record Reply(HttpReply http) {
        int status() {
            return http.status();
        }

        String header(String name) {
            return http.headers().find(name).orElse("");
        }

        boolean has(String name) {
            return http.headers().contains(name);
        }

        String text() {
            StringBuilder text = new StringBuilder();
            http.body().forEach(piece -> text.append(piece.toUtf8()));
            return text.toString();
        }

        Value.Obj json() {
            return (Value.Obj) JsonText.parse(text());
        }

        Value member(String name) {
            return Optional.ofNullable(json().properties().get(name))
                    .orElse(Value.Undefined.UNDEFINED);
        }

        String string(String name) {
            return member(name) instanceof Value.Text(String text) ? text : "";
        }
    }

    Reply get(String path, String... headers) {
        return call("GET", path, "", headers);
    }

    Reply post(String path, String body, String... headers) {
        return call("POST", path, body, headers);
    }

    Reply call(String method, String path, String body, String... headers) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("Host", "db.example:8081");
        all.put("x-ms-date", DATE);
        all.put("x-ms-version", "2020-07-15");
        all.put("authorization", sign(key, method, path, DATE));
        for (int i = 0; i < headers.length; i += 2) {
            all.put(headers[i], headers[i + 1]);
        }
        Headers.Builder built = Headers.builder();
        all.forEach(built::add);
        return send(request(method, path, built.build(), body));
    }

    Reply query(String path, String text, String... headers) {
        String[] all = new String[headers.length + 2];
        System.arraycopy(headers, 0, all, 0, headers.length);
        all[headers.length] = "Content-Type";
        all[headers.length + 1] = "application/query+json";
        return post(path, JsonText.write(Json.object("query", Value.of(text))), all);
    }

    Reply send(HttpRequest request) {
        try {
            return new Reply(endpoint.handle(request));
        } catch (InterruptedException impossible) {
            throw new AssertionError(impossible);
        }
    }

    static HttpRequest request(String method, String path, Headers headers, String body) {
        InetSocketAddress here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 8081);
        return new HttpRequest(
                method,
                path,
                "",
                headers,
                Bytes.ofUtf8(body),
                "https",
                headers.find("Host").orElse(""),
                here,
                here);
    }

    /** Signs as SDKs do: entities by their whole path, feeds by their owner's, rids alone. */
    static String sign(String key, String method, String path, String date) {
        String[] segments = path.isEmpty() || path.equals("/") ? new String[0] : trim(path);
        boolean isFeed = segments.length % 2 == 1;
        String type =
                segments.length == 0
                        ? ""
                        : segments[isFeed ? segments.length - 1 : segments.length - 2];
        int count = isFeed ? segments.length - 1 : segments.length;
        String link = String.join("/", java.util.Arrays.copyOf(segments, count));
        boolean isRid =
                segments.length > 1
                        && (segments[0].equals("offers")
                                || (segments[1].length() == 8 && segments[1].endsWith("==")));
        if (isRid && count > 0) {
            link = segments[count - 1].toLowerCase(Locale.ROOT);
        }
        String text =
                (method + "\n" + type + "\n").toLowerCase(Locale.ROOT)
                        + link
                        + "\n"
                        + date.toLowerCase(Locale.ROOT)
                        + "\n\n";
        return URLEncoder.encode(
                "type=master&ver=1.0&sig=" + hmac(key, text), StandardCharsets.UTF_8);
    }

    static String hmac(String key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), "HmacSHA256"));
            return Base64.getEncoder()
                    .encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (java.security.GeneralSecurityException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static String[] trim(String path) {
        String inner = path.substring(1, path.endsWith("/") ? path.length() - 1 : path.length());
        String[] segments = inner.split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            segments[i] =
                    URLDecoder.decode(segments[i].replace("+", "%2B"), StandardCharsets.UTF_8);
        }
        return segments;
    }
}
