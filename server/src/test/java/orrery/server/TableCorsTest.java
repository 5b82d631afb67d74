package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks what pages in browsers may do by the rules in the properties of the Table service. */
final class TableCorsTest {
    private static final String PROPERTIES = "/?restype=service&comp=properties";

    private static OrreryServer server;
    private static TableWire wire;

    @BeforeAll
    static void start() throws IOException {
        server = TableWire.start();
        wire = new TableWire(server);
        assertThat(wire.signed("POST", "/Tables", "{\"TableName\":\"People\"}"))
                .startsWith("HTTP/1.1 201");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void withoutRules() throws IOException {
        set("");
    }

    private static void set(String rules) throws IOException {
        assertThat(put("<Cors>" + rules + "</Cors>")).isEqualTo("202");
    }

    private static String put(String content) throws IOException {
        return TableWire.status(
                wire.signed(
                        "PUT",
                        PROPERTIES,
                        "<StorageServiceProperties>" + content + "</StorageServiceProperties>"));
    }

    private static String rule(String origins, String methods, String headers, String exposed) {
        return ("<CorsRule><AllowedOrigins>%s</AllowedOrigins><AllowedMethods>%s</AllowedMethods>"
                        + "<AllowedHeaders>%s</AllowedHeaders><ExposedHeaders>%s</ExposedHeaders>"
                        + "<MaxAgeInSeconds>77</MaxAgeInSeconds></CorsRule>")
                .formatted(origins, methods, headers, exposed);
    }

    private static String preflight(String origin, String method, String headers)
            throws IOException {
        return wire.send(
                "OPTIONS",
                "/People",
                "",
                "Origin: " + origin,
                method.isEmpty() ? "x-none: 1" : "Access-Control-Request-Method: " + method,
                headers.isEmpty() ? "x-none: 2" : "Access-Control-Request-Headers: " + headers);
    }

    private static String get(String origin) throws IOException {
        return wire.signed("GET", "/People()", "", "Origin: " + origin);
    }

    @Test
    void withoutARuleNoForeignPageIsLetIn() throws IOException {
        assertThat(preflight("http://a.example", "GET", ""))
                .startsWith("HTTP/1.1 403")
                .contains("CorsPreflightFailure")
                .contains("CORS not enabled or no matching rule found for this request.")
                .doesNotContain("Access-Control-Allow");
        assertThat(get("http://a.example"))
                .startsWith("HTTP/1.1 403")
                .doesNotContain("Access-Control-Allow");
        // Pages of this machine need no rule.
        assertThat(preflight("http://localhost:3000", "GET", "")).startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            textBlock =
                    """
                    http://a.example | GET   | x-ms-date              | 200
                    HTTP://A.EXAMPLE | get   | X-MS-anything,accept   | 200
                    http://b.example | PATCH | x-whatever             | 200
                    http://a.example | PUT   | x-ms-date              | 403
                    http://a.example | GET   | x-ms-date, cookie      | 403
                    http://c.example | GET   | x-ms-date              | 403
                    null             | GET   | x-ms-date              | 403
                    http://a.example | -     | -                      | 400
                    """)
    void theFirstRuleThatFitsAnswersAPreflight(
            String origin, String method, String headers, int status) throws IOException {
        set(
                rule("http://x.example, http://a.example", "GET,HEAD", "x-ms-*,Accept", "")
                        + rule("http://b.example", "PATCH", "*", ""));
        String reply =
                preflight(origin, method == null ? "" : method, headers == null ? "" : headers);
        assertThat(reply).startsWith("HTTP/1.1 " + status);
        if (status == 200) {
            assertThat(reply)
                    .contains("Access-Control-Allow-Origin: " + origin + "\r\n")
                    .contains("Access-Control-Allow-Methods: " + method + "\r\n")
                    .contains("Access-Control-Allow-Headers: " + headers + "\r\n")
                    .contains("Access-Control-Max-Age: 77\r\n");
        } else {
            assertThat(reply).doesNotContain("Access-Control-Allow");
        }
    }

    @Test
    void aPageReadsTheHeadersThatItsRuleExposes() throws IOException {
        set(rule("http://a.example", "GET", "", "x-ms-request*,etag"));
        String reply = get("http://a.example");
        assertThat(reply)
                .startsWith("HTTP/1.1 200")
                .contains("Access-Control-Allow-Origin: http://a.example\r\n")
                .contains("Access-Control-Allow-Credentials: true\r\n")
                .contains("Vary: Origin\r\n")
                .contains("Access-Control-Expose-Headers: x-ms-request-id,x-ms-request-charge\r\n");
        assertThat(get("http://b.example")).startsWith("HTTP/1.1 403");
        // A page may read why it was refused, too.
        assertThat(wire.signed("GET", "/Missing()", "", "Origin: http://a.example"))
                .startsWith("HTTP/1.1 404")
                .contains("Access-Control-Allow-Origin: http://a.example\r\n");
    }

    @Test
    void aRuleForAllOriginsIsForAll() throws IOException {
        set(rule("*", "GET,POST", "*", "*"));
        assertThat(get("http://any.example"))
                .startsWith("HTTP/1.1 200")
                .contains("Access-Control-Allow-Origin: *\r\n")
                .doesNotContain("Vary: ")
                .doesNotContain("Allow-Credentials");
        assertThat(preflight("http://any.example", "POST", "anything")).startsWith("HTTP/1.1 200");
        // A rule is no credential, and does not make a foreign name one of this machine.
        assertThat(wire.send("GET", "/People()", "", "Origin: http://any.example"))
                .startsWith("HTTP/1.1 403")
                .contains("AuthenticationFailed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<Cors><CorsRule><AllowedMethods>GET</AllowedMethods><MaxAgeInSeconds>1"
                        + "</MaxAgeInSeconds></CorsRule></Cors>",
                "<Cors><CorsRule><AllowedOrigins>*</AllowedOrigins><AllowedMethods>FLY"
                        + "</AllowedMethods><MaxAgeInSeconds>1</MaxAgeInSeconds></CorsRule></Cors>",
                "<Cors><CorsRule><AllowedOrigins>http://a b</AllowedOrigins><AllowedMethods>GET"
                        + "</AllowedMethods><MaxAgeInSeconds>1</MaxAgeInSeconds></CorsRule></Cors>",
                "<Cors><CorsRule><AllowedOrigins>*</AllowedOrigins><AllowedMethods>GET"
                        + "</AllowedMethods><MaxAgeInSeconds>-1</MaxAgeInSeconds></CorsRule></Cors>"
            })
    void rulesThatCouldNotBeKeptAreRefused(String content) throws IOException {
        assertThat(put(content)).isEqualTo("400 InvalidXmlDocument");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<Logging><Version>1.0</Version><Delete>false</Delete><Read>true</Read>"
                        + "<Write>false</Write></Logging>",
                "<HourMetrics><Version>1.0</Version><Enabled>true</Enabled><IncludeAPIs>true"
                        + "</IncludeAPIs></HourMetrics>",
                "<MinuteMetrics><Version>1.0</Version><Enabled>false</Enabled><RetentionPolicy>"
                        + "<Enabled>true</Enabled><Days>3</Days></RetentionPolicy></MinuteMetrics>"
            })
    void nothingIsTurnedOnThatWouldHaveNoEffect(String content) throws IOException {
        assertThat(put(content)).isEqualTo("501 NotImplemented");
        assertThat(put(content.replace("true", "false"))).isEqualTo("202");
    }

    @Test
    void whatIsReadCanBeWrittenBack() throws IOException {
        set(rule("http://a.example", "GET", "x", "y"));
        String read = wire.signed("GET", PROPERTIES, "");
        String document = read.substring(read.indexOf("<?xml"));
        assertThat(TableWire.status(wire.signed("PUT", PROPERTIES, document))).isEqualTo("202");
        assertThat(wire.signed("GET", PROPERTIES, "")).endsWith(document);
    }
}
