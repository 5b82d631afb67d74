package orrery.frontend.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.frontend.http.Admission;
import orrery.frontend.http.Headers;
import orrery.frontend.http.HttpHandler;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpRequest;
import orrery.model.Bytes;

class HttpRootTest {
    private final HttpRoot root =
            HttpRoot.builder()
                    .mount("/_orrery", "pages", saying(201))
                    .mount("/_orrery/dbs", "operator", saying(202))
                    .otherwise("sql", saying(203));

    private static HttpHandler saying(int status) {
        return _ -> HttpReply.empty(status);
    }

    private static HttpRequest request(String method, String path) {
        return HttpRequest.of(method, path, Headers.EMPTY, Bytes.EMPTY);
    }

    @ParameterizedTest
    @CsvSource({
        "/, 203, sql",
        "/dbs, 203, sql",
        "/_orrery, 201, pages",
        "/_orrery/ca.crt, 201, pages",
        "/_orrery/dbs, 202, operator",
        "/_orrery/dbs/d/colls/c/split, 202, operator",
        "/_orrery/dbsx, 201, pages",
        "/_orreryx, 203, sql",
        "*, 203, sql"
    })
    void theLongestPrefixOfWholeSegmentsAnswers(String path, int status, String api)
            throws InterruptedException {
        assertThat(root.handle(request("GET", path)).status()).isEqualTo(status);
        assertThat(root.api(path)).isEqualTo(api);
    }

    @Test
    void anApiSaysWhichRequestsAreManagement() {
        HttpHandler reading =
                new HttpHandler() {
                    @Override
                    public HttpReply handle(HttpRequest request) {
                        return HttpReply.empty(200);
                    }

                    @Override
                    public boolean isManagement(HttpRequest head) {
                        return false;
                    }
                };
        HttpRoot mixed =
                HttpRoot.builder().mount("/read", "reading", reading).otherwise("sql", saying(200));
        assertThat(mixed.isManagement(request("POST", "/read/x"))).isFalse();
        assertThat(mixed.isManagement(request("POST", "/dbs"))).isTrue();
        assertThat(mixed.isManagement(request("PURGE", "/dbs"))).isTrue();
        assertThat(mixed.isManagement(request("GET", "/dbs"))).isFalse();
        assertThat(mixed.isManagement(request("OPTIONS", "/dbs"))).isFalse();
    }

    @Test
    void theApiItselfDecidesWhomItAdmits() {
        HttpHandler closed =
                new HttpHandler() {
                    @Override
                    public HttpReply handle(HttpRequest request) {
                        throw new AssertionError("its body was never asked for");
                    }

                    @Override
                    public Admission admit(HttpRequest head) {
                        return new Admission.Refused(HttpReply.empty(401));
                    }
                };
        HttpRoot closedRoot = HttpRoot.builder().otherwise("sql", closed);
        assertThat(closedRoot.admit(request("POST", "/dbs")))
                .isEqualTo(new Admission.Refused(HttpReply.empty(401)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/dbs", "/_orrery/dbs", "*"})
    void everyPathHasOptions(String path) throws InterruptedException {
        HttpReply reply = root.handle(request("OPTIONS", path));
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.headers().find("Allow")).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "dbs", "/dbs/", "/"})
    void aPrefixEndsWithASegment(String prefix) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpRoot.builder().mount(prefix, "sql", saying(200)));
    }
}
