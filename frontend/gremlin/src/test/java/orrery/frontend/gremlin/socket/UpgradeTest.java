package orrery.frontend.gremlin.socket;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.frontend.http.Admission;
import orrery.frontend.http.Headers;
import orrery.frontend.http.HttpRequest;
import orrery.model.Bytes;

/** Requests that open a connection, and those that do not. */
final class UpgradeTest {
    private static final String KEY = "dGhlIHNhbXBsZSBub25jZQ==";

    private static HttpRequest request(String method, String... headers) {
        return HttpRequest.of(method, "/", Headers.of(headers), Bytes.EMPTY);
    }

    private static boolean isAdmitted(HttpRequest request) {
        return new Upgrade().admit(request) instanceof Admission.Admitted;
    }

    @ParameterizedTest
    @CsvSource({
        "GET,websocket,Upgrade,13,dGhlIHNhbXBsZSBub25jZQ==,true",
        "GET,WebSocket,'keep-alive, upgrade',13,dGhlIHNhbXBsZSBub25jZQ==,true",
        "POST,websocket,Upgrade,13,dGhlIHNhbXBsZSBub25jZQ==,false",
        "GET,h2c,Upgrade,13,dGhlIHNhbXBsZSBub25jZQ==,false",
        "GET,websocket,close,13,dGhlIHNhbXBsZSBub25jZQ==,false",
        "GET,websocket,Upgrade,8,dGhlIHNhbXBsZSBub25jZQ==,false",
        "GET,websocket,Upgrade,13,dG9vIHNob3J0,false",
        "GET,websocket,Upgrade,13,?,false"
    })
    void onlyWebSocketOfVersion13IsAdmitted(
            String method,
            String upgrade,
            String connection,
            String version,
            String key,
            boolean isAdmitted) {
        assertThat(
                        isAdmitted(
                                request(
                                        method,
                                        "Upgrade",
                                        upgrade,
                                        "Connection",
                                        connection,
                                        "Sec-WebSocket-Version",
                                        version,
                                        "Sec-WebSocket-Key",
                                        key)))
                .isEqualTo(isAdmitted);
    }

    @Test
    void theOriginOfADriverIsNoPage() {
        assertThat(
                        Upgrade.asOfDriver(
                                        request(
                                                "GET",
                                                "Host",
                                                "db:8901",
                                                "Origin",
                                                "http://db:8901"))
                                .header("Origin"))
                .isEmpty();
        assertThat(
                        Upgrade.asOfDriver(
                                        request(
                                                "GET",
                                                "Host",
                                                "db:8901",
                                                "Origin",
                                                "http://evil:8901"))
                                .header("Origin"))
                .isPresent();
        assertThat(
                        Upgrade.asOfDriver(
                                        request(
                                                "GET",
                                                "Host",
                                                "db:8901",
                                                "Origin",
                                                "http://db:8901",
                                                "User-Agent",
                                                "Mozilla/5.0",
                                                "Sec-WebSocket-Key",
                                                KEY))
                                .header("Origin"))
                .isPresent();
    }
}
