package orrery.frontend.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.frontend.http.Headers;
import orrery.frontend.http.HttpRequest;
import orrery.frontend.rest.KeyAuthenticator;
import orrery.frontend.rest.KeyPolicy;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestContext.Principal;
import orrery.model.security.AccountKeys;
import orrery.model.security.KeyKind;

class KeyAuthenticatorTest {
    private Instant now = TestClient.NOW;
    private AccountKeys keys = TestClient.KEYS;
    private final KeyAuthenticator authenticator =
            new KeyAuthenticator(() -> keys, KeyPolicy.loopbackOnly(), () -> now);

    /** Signatures made with another program from the published rules and the well-known key. */
    static Stream<Arguments> vectors() {
        return Stream.of(
                Arguments.of("GET", "/", "1C5KtjNTts0Iwjr5Vi1nTQV1P1QXIWuuosZX51AJHTQ="),
                Arguments.of(
                        "GET",
                        "/dbs/db1/colls/c1/docs/1",
                        "VVxwF9NOzbodFgXcAOBDcCqVodDgqhWjSHcdmvKfPuU="),
                Arguments.of(
                        "POST",
                        "/dbs/db1/colls/c1/docs",
                        "g3++6hTa264w9oMcrG0g4DS73cVJ1YhamAnS0sVNUXg="),
                Arguments.of(
                        "POST",
                        "/dbs/db1/colls/c1/docs/",
                        "g3++6hTa264w9oMcrG0g4DS73cVJ1YhamAnS0sVNUXg="),
                Arguments.of(
                        "GET",
                        "/dbs/AQAAAA==/colls/AQAAAIAAAAE=/pkranges",
                        "x+F3aUa4k5mLHa3E/05msSxYm6IcvPxuewapkrb4mPc="),
                Arguments.of("GET", "/offers/abcd", "3wv2Hg01Uk7y2HwlAM/YCSZyIQZt7PUwef31s8EIiRI="),
                Arguments.of("GET", "/offers/ABCD", "3wv2Hg01Uk7y2HwlAM/YCSZyIQZt7PUwef31s8EIiRI="),
                Arguments.of(
                        "GET",
                        "/dbs/db1/colls/c1/docs/%C3%9Cn%C3%AF%20code+1",
                        "o2vNbz8D4swdertjonHdKPaRUY6pxbEJSwyKCc/ntxY="));
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void acceptsWhatTheRulesGive(String method, String path, String signature) {
        String token = "type=master&ver=1.0&sig=" + signature;
        assertThat(authorize(method, path, token, "x-ms-date", TestClient.DATE))
                .isEqualTo(new Principal.Account(KeyKind.PRIMARY));
        assertThat(
                        authorize(
                                method,
                                path,
                                URLEncoder.encode(token, StandardCharsets.UTF_8),
                                "x-ms-date",
                                TestClient.DATE))
                .isEqualTo(new Principal.Account(KeyKind.PRIMARY));
    }

    @Test
    void theDateHeaderStandsInForOurOwn() {
        String token = "type=master&ver=1.0&sig=M7eiiGL40L/MxKw0gcjMhwcWjYD2wCzr8R7s54pce2c=";
        assertThat(authorize("GET", "/dbs", token, "Date", TestClient.DATE))
                .isEqualTo(new Principal.Account(KeyKind.PRIMARY));
        assertThat(refused("GET", "/dbs", token, "x-ms-date", TestClient.DATE).code())
                .isEqualTo(ErrorCode.UNAUTHORIZED);
    }

    @Test
    void aDatabaseNamedLikeARidMayBeSignedByName() {
        String text = "get\ncolls\ndbs/AQAAAA==/colls/Orders\nsun, 15 nov 2026 06:34:56 gmt\n\n";
        String token =
                "type=master&ver=1.0&sig=" + TestClient.hmac(TestClient.KEYS.primary(), text);
        assertThat(
                        authorize(
                                "GET",
                                "/dbs/AQAAAA==/colls/Orders",
                                token,
                                "x-ms-date",
                                TestClient.DATE))
                .isEqualTo(new Principal.Account(KeyKind.PRIMARY));
    }

    @Test
    void aClientWithoutATokenHearsSo() {
        OrreryException refused =
                refused("GET", "/dbs/d/colls/c", "undefined", "x-ms-date", TestClient.DATE);
        assertThat(refused.code()).isEqualTo(ErrorCode.MALFORMED_AUTHORIZATION);
        assertThat(refused).hasMessageContaining("no token for this resource");
    }

    @Test
    void knowsAllFourKeys() {
        assertThat(signedWith(TestClient.KEYS.primary()))
                .isEqualTo(new Principal.Account(KeyKind.PRIMARY));
        assertThat(signedWith(TestClient.SECOND))
                .isEqualTo(new Principal.Account(KeyKind.SECONDARY));
        assertThat(signedWith(TestClient.READ_ONLY))
                .isEqualTo(new Principal.Account(KeyKind.PRIMARY_READONLY));
        assertThat(signedWith(TestClient.READ_ONLY_2))
                .isEqualTo(new Principal.Account(KeyKind.SECONDARY_READONLY));
    }

    private Principal signedWith(String key) {
        return authorize(
                "GET",
                "/dbs/d",
                TestClient.sign(key, "GET", "/dbs/d", TestClient.DATE),
                "x-ms-date",
                TestClient.DATE);
    }

    @Test
    void aWrongSignatureIsToldWhatWasSigned() {
        OrreryException refused =
                refused(
                        "GET",
                        "/dbs/d/colls/c",
                        "type=master&ver=1.0&sig=AAAA",
                        "x-ms-date",
                        TestClient.DATE);
        assertThat(refused.code()).isEqualTo(ErrorCode.UNAUTHORIZED);
        assertThat(refused.text())
                .contains("'get\ncolls\ndbs/d/colls/c\nsun, 15 nov 2026 06:34:56 gmt\n\n'");
    }

    @ParameterizedTest
    @CsvSource({
        "0, true",
        "899, true",
        "900, true",
        "901, false",
        "-900, true",
        "-901, false",
        "86400, false"
    })
    void aSignatureIsGoodForAQuarterOfAnHour(int secondsLater, boolean isGood) {
        now = TestClient.NOW.plus(Duration.ofSeconds(secondsLater));
        String token = TestClient.sign(TestClient.SECOND, "GET", "/dbs/d", TestClient.DATE);
        if (isGood) {
            assertThat(authorize("GET", "/dbs/d", token, "x-ms-date", TestClient.DATE)).isNotNull();
        } else {
            OrreryException refused = refused("GET", "/dbs/d", token, "x-ms-date", TestClient.DATE);
            assertThat(refused.code()).isEqualTo(ErrorCode.FORBIDDEN);
            assertThat(refused.text())
                    .contains("token start time: Sun, 15 Nov 2026 06:34:56 GMT")
                    .contains("token expiry time: Sun, 15 Nov 2026 06:49:56 GMT")
                    .contains("current server time: ");
        }
    }

    @Test
    void aDateThatIsNoneIsRefused() {
        String token = TestClient.sign(TestClient.SECOND, "GET", "/dbs/d", "yesterday");
        assertThat(refused("GET", "/dbs/d", token, "x-ms-date", "yesterday").code())
                .isEqualTo(ErrorCode.UNAUTHORIZED);
        assertThat(refused("GET", "/dbs/d", token, "x-other", "1").text()).contains("x-ms-date");
    }

    @Test
    void withoutAHeaderNobodyIsKnown() {
        OrreryException refused =
                catchThrowableOfType(
                        OrreryException.class,
                        () ->
                                authenticator.authenticate(
                                        TestClient.request("GET", "/dbs", Headers.EMPTY, ""),
                                        SqlPath.parse("/dbs")));
        assertThat(refused.code()).isEqualTo(ErrorCode.MISSING_AUTHORIZATION);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Bearer abc",
                "type=master",
                "type=master&ver=1.0",
                "type=master&ver=1.0&sig=",
                "type=master&ver=2.0&sig=AAAA",
                "type=other&ver=1.0&sig=AAAA",
                "type=master&ver=1.0&sig=not base64",
                "type%3Dmaster%26ver%3D1.0%26sig%3D%",
                "type%3Dmaster%26ver%3D1.0%26sig%3D%zz",
                "sig=AAAA&ver=1.0&type=master"
            })
    void brokenTokensAreNamedSo(String token) {
        assertThat(refused("GET", "/dbs", token, "x-ms-date", TestClient.DATE).code())
                .isEqualTo(ErrorCode.MALFORMED_AUTHORIZATION);
    }

    @Test
    void otherKindsOfTokensLetNobodyInByThemselves() {
        assertThat(
                        refused(
                                        "GET",
                                        "/dbs",
                                        "type=resource&ver=1&sig=a;b;",
                                        "x-ms-date",
                                        TestClient.DATE)
                                .text())
                .contains("Resource tokens do not work here");
        assertThat(
                        refused(
                                        "GET",
                                        "/dbs",
                                        "type=aad&ver=1.0&sig=ey.J",
                                        "x-ms-date",
                                        TestClient.DATE)
                                .text())
                .contains("not available yet");
    }

    @Test
    void theWellKnownKeyWorksOnThisMachineOnly() throws UnknownHostException {
        InetAddress elsewhere = InetAddress.getByAddress(new byte[] {10, 0, 0, 7});
        assertThat(fromElsewhere(TestClient.SECOND, elsewhere)).isNotNull();
        OrreryException refused =
                catchThrowableOfType(
                        OrreryException.class,
                        () -> fromElsewhere(TestClient.KEYS.primary(), elsewhere));
        assertThat(refused.code()).isEqualTo(ErrorCode.UNAUTHORIZED);
        assertThat(refused.text()).contains("well-known");
    }

    @Test
    void theWellKnownKeyWorksElsewhereIfAnOperatorSaysSo() throws UnknownHostException {
        InetAddress elsewhere = InetAddress.getByAddress(new byte[] {10, 0, 0, 7});
        KeyAuthenticator open = new KeyAuthenticator(() -> keys, KeyPolicy.everywhere(), () -> now);
        assertThat(
                        open.authenticate(
                                requestFrom(TestClient.KEYS.primary(), elsewhere),
                                SqlPath.parse("/dbs/d")))
                .isEqualTo(new Principal.Account(KeyKind.PRIMARY));
    }

    @Test
    void aReplacedKeyOpensNothingFromThenOn() {
        assertThat(signedWith(TestClient.KEYS.primary()))
                .isEqualTo(new Principal.Account(KeyKind.PRIMARY));
        String fresh = AccountKeys.newKey(new SecureRandom());
        keys = keys.replacing(Map.of(KeyKind.PRIMARY, fresh));
        assertThat(
                        catchThrowableOfType(
                                        OrreryException.class,
                                        () -> signedWith(TestClient.KEYS.primary()))
                                .code())
                .isEqualTo(ErrorCode.UNAUTHORIZED);
        assertThat(signedWith(fresh)).isEqualTo(new Principal.Account(KeyKind.PRIMARY));
        assertThat(signedWith(keys.secondary()))
                .isEqualTo(new Principal.Account(KeyKind.SECONDARY));
    }

    private Principal fromElsewhere(String key, InetAddress remote) {
        return authenticator.authenticate(requestFrom(key, remote), SqlPath.parse("/dbs/d"));
    }

    private static HttpRequest requestFrom(String key, InetAddress remote) {
        Headers headers =
                Headers.of(
                        "authorization",
                        TestClient.sign(key, "GET", "/dbs/d", TestClient.DATE),
                        "x-ms-date",
                        TestClient.DATE);
        return new HttpRequest(
                "GET",
                "/dbs/d",
                "",
                headers,
                Bytes.EMPTY,
                "https",
                "h",
                new InetSocketAddress(remote, 8081),
                new InetSocketAddress(remote, 5000));
    }

    private Principal authorize(
            String method, String path, String token, String dateHeader, String date) {
        return authenticator.authenticate(
                TestClient.request(
                        method, path, Headers.of("Authorization", token, dateHeader, date), ""),
                SqlPath.parse(path));
    }

    private OrreryException refused(
            String method, String path, String token, String dateHeader, String date) {
        return catchThrowableOfType(
                OrreryException.class, () -> authorize(method, path, token, dateHeader, date));
    }
}
