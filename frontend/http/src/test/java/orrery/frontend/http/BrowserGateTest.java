package orrery.frontend.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.frontend.http.BrowserGate.HostRule;
import orrery.model.Bytes;

class BrowserGateTest {
    private static final String FOREIGN = "https://evil.test";
    private static final String ALLOWED = "https://app.example";

    private static HttpReply ask(HostRule rule, String method, String... headers)
            throws InterruptedException {
        HttpHandler inner =
                _ ->
                        HttpReply.status(404)
                                .header("etag", "\"1\"")
                                .header("x-ms-substatus", "0")
                                .build();
        return new BrowserGate(
                        inner,
                        () -> rule,
                        Set.of(WebOrigin.parse(ALLOWED).orElseThrow()),
                        Optional.of(URI.create("https://orrery.example:8081/")),
                        PageRules.NONE,
                        ErrorRenderer.plainJson())
                .handle(HttpRequest.of(method, "/dbs", Headers.of(headers), Bytes.EMPTY));
    }

    private static String header(HttpReply reply, String name) {
        return reply.headers().find(name).orElse("");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "localhost:8081",
                "LOCALHOST:1",
                "localhost.",
                "app.localhost:8081",
                "127.0.0.1:8081",
                "127.255.255.254",
                "[::1]:8081",
                "[0:0:0:0:0:0:0:1]",
                "orrery.example:8081",
                "Orrery.Example"
            })
    void answersToItsOwnNames(String host) throws InterruptedException {
        assertThat(ask(HostRule.EVERY_REQUEST, "GET", "Host", host).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.test",
                "evil.test:8081",
                "localhost.evil.test",
                "127.0.0.1.evil.test:8081",
                "xlocalhost",
                "notorrery.example",
                "10.0.0.1",
                "128.0.0.1",
                "0.0.0.0:8081",
                "[::2]",
                "[::1]x",
                "127.0.0.1x"
            })
    void answersToNoOtherName(String host) throws InterruptedException {
        HttpReply reply = ask(HostRule.EVERY_REQUEST, "GET", "Host", host);
        assertThat(reply.status()).isEqualTo(421);
        assertThat(reply.body().getFirst().toUtf8()).contains("MisdirectedRequest", "--advertise");
        // With secret keys a name proves nothing and forbids nothing.
        assertThat(ask(HostRule.NONE, "GET", "Host", host).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://localhost",
                "http://localhost:3000",
                "https://LOCALHOST:3000",
                "http://127.0.0.1:5173",
                "http://[::1]:3000",
                "http://app.localhost:1",
                ALLOWED,
                "https://app.example:443",
                "https://orrery.example:8081"
            })
    void letsPagesOfTheseOriginsRead(String origin) throws InterruptedException {
        for (HostRule rule : HostRule.values()) {
            HttpReply reply = ask(rule, "GET", "Host", "localhost:8081", "Origin", origin);
            assertThat(reply.status()).isEqualTo(404);
            assertThat(header(reply, "Access-Control-Allow-Origin")).isEqualTo(origin);
            assertThat(header(reply, "Access-Control-Expose-Headers"))
                    .isEqualTo("etag,x-ms-substatus");
            assertThat(header(reply, "Vary")).isEqualTo("Origin");
            assertThat(header(reply, "Access-Control-Allow-Credentials")).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                FOREIGN,
                "http://app.example",
                "https://app.example:8443",
                "https://app.example.evil.test",
                "https://sub.app.example",
                "http://localhost.evil.test",
                "http://127.0.0.1.evil.test",
                "file://localhost",
                "null",
                "*",
                "localhost",
                "http://localhost@evil.test",
                "http://localhost/ http://evil.test",
                "https://orrery.example"
            })
    void letsNoOtherPageRead(String origin) throws InterruptedException {
        for (HostRule rule : HostRule.values()) {
            for (String method : new String[] {"GET", "POST", "OPTIONS"}) {
                HttpReply reply = ask(rule, method, "Host", "localhost:8081", "Origin", origin);
                boolean isPassed = rule == HostRule.NONE && !method.equals("OPTIONS");
                assertThat(reply.status()).isEqualTo(isPassed ? 404 : 403);
                assertThat(reply.headers().contains("Access-Control-Allow-Origin")).isFalse();
                assertThat(reply.headers().contains("Access-Control-Allow-Headers")).isFalse();
            }
        }
    }

    @Test
    void tellsAllowedPagesWhatTheyMaySend() throws InterruptedException {
        HttpReply reply =
                ask(
                        HostRule.EVERY_REQUEST,
                        "OPTIONS",
                        "Host",
                        "localhost",
                        "Origin",
                        ALLOWED,
                        "Access-Control-Request-Headers",
                        "authorization,x-ms-date",
                        "Access-Control-Request-Private-Network",
                        "true");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(header(reply, "Access-Control-Allow-Origin")).isEqualTo(ALLOWED);
        assertThat(header(reply, "Access-Control-Allow-Headers"))
                .isEqualTo("authorization,x-ms-date");
        assertThat(header(reply, "Access-Control-Allow-Methods")).contains("PATCH");
        assertThat(header(reply, "Access-Control-Allow-Private-Network")).isEqualTo("true");
        assertThat(header(reply, "Vary")).isEqualTo("Origin");
    }

    @Test
    void refusesElementsOfOtherSitesAndFollowsLinks() throws InterruptedException {
        String[] image = {
            "Host", "localhost", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors"
        };
        String[] link = {
            "Host", "localhost", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"
        };
        assertThat(ask(HostRule.EVERY_REQUEST, "GET", image).status()).isEqualTo(403);
        assertThat(ask(HostRule.BROWSERS, "GET", image).status()).isEqualTo(403);
        assertThat(ask(HostRule.NONE, "GET", image).status()).isEqualTo(404);
        assertThat(ask(HostRule.EVERY_REQUEST, "GET", link).status()).isEqualTo(404);
        assertThat(ask(HostRule.EVERY_REQUEST, "HEAD", link).status()).isEqualTo(404);
        // A form.
        assertThat(ask(HostRule.EVERY_REQUEST, "POST", link).status()).isEqualTo(403);
        assertThat(
                        ask(
                                        HostRule.EVERY_REQUEST,
                                        "GET",
                                        "Host",
                                        "localhost",
                                        "Sec-Fetch-Site",
                                        "same-origin",
                                        "Sec-Fetch-Mode",
                                        "cors")
                                .status())
                .isEqualTo(404);
    }

    @Test
    void scrapersAskUnderAnyNameWhereOnlyBrowsersAreChecked() throws InterruptedException {
        String host = "metrics.internal:8080";
        for (String[] scraper :
                new String[][] {
                    {"Host", host},
                    {"Host", host, "User-Agent", "curl/8.5.0", "Accept", "*/*"},
                    {"Host", host, "User-Agent", "Prometheus/3.1", "Accept-Encoding", "gzip"},
                    {"Host", host, "User-Agent", "kube-probe/1.31", "Accept", "*/*"},
                    {"Host", host, "User-Agent", "Wget/1.21", "Accept-Encoding", "identity"},
                }) {
            assertThat(ask(HostRule.BROWSERS, "GET", scraper).status()).isEqualTo(404);
            assertThat(ask(HostRule.EVERY_REQUEST, "GET", scraper).status()).isEqualTo(421);
        }
    }

    /** Without TLS, and for its own name, a browser sends neither Origin nor Sec-Fetch-*. */
    @ParameterizedTest
    @EnumSource(
            value = HostRule.class,
            names = {"EVERY_REQUEST", "BROWSERS"})
    void aNameThatWasBoundToThisMachineLaterIsRefused(HostRule rule) throws InterruptedException {
        String host = "evil.test:8080";
        for (String[] browser :
                new String[][] {
                    {"Host", host, "User-Agent", "Mozilla/5.0 (X11) Gecko Firefox/133.0"},
                    {"Host", host, "User-Agent", "curl/8", "Accept-Encoding", "gzip, deflate"},
                    {"Host", host, "User-Agent", "curl/8", "Accept-Language", ""},
                    {"Host", host, "Referer", "http://evil.test:8080/"},
                    {"Host", host, "Origin", "http://evil.test:8080"},
                    {"Host", host, "Sec-Fetch-Site", "same-origin"},
                }) {
            assertThat(ask(rule, "GET", browser).status()).isEqualTo(421);
        }
    }
}
