package orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.cluster.api.AccountSettings;
import orrery.model.security.AccountKeys;

/** The page that a person sees who opens the endpoint in a browser. */
final class FirstPageTest {
    private static final String OF_BROWSER = "text/html,application/xhtml+xml,*/*;q=0.8";

    @Test
    void aBrowserIsToldWhatThisIsAndHowToConnect() {
        try (ServerFixture server = ServerFixture.start(AccountSettings.DEFAULT)) {
            String host = "localhost:" + server.server().port();
            String page = server.firstPage(host, "Accept", OF_BROWSER);
            assertThat(page)
                    .startsWith("HTTP/1.1 200 ")
                    .contains("Content-Type: text/html; charset=utf-8\r\n")
                    .contains("Content-Security-Policy: default-src 'none'; style-src 'sha256-")
                    .contains("X-Content-Type-Options: nosniff\r\n")
                    .contains("Cache-Control: no-store\r\n")
                    .contains("AccountEndpoint=" + server.server().endpoint() + ";AccountKey=")
                    .contains(AccountKeys.WELL_KNOWN_KEY)
                    .contains("href=\"/_orrery/ca.crt\"")
                    .contains(
                            "href=\"http://localhost:" + server.server().statusPort() + "/status\"")
                    .doesNotContain("<script");
        }
    }

    @Test
    void headHasTheHeadersAndNoBody() {
        try (ServerFixture server = ServerFixture.start(AccountSettings.DEFAULT)) {
            assertThat(server.raw("HEAD", "localhost", "Accept", OF_BROWSER))
                    .startsWith("HTTP/1.1 200 ")
                    .contains("Content-Type: text/html")
                    .doesNotContain("<html");
        }
    }

    /** SDKs ask for the same path; what they get has not changed. */
    @ParameterizedTest
    @CsvSource({
        "application/json,",
        "*/*,",
        "text/html,type%3dmaster%26ver%3d1.0%26sig%3dAAAA",
    })
    void programsGetTheAnswerOfTheApi(String accept, String authorization) {
        try (ServerFixture server = ServerFixture.start(AccountSettings.DEFAULT)) {
            String reply =
                    authorization == null
                            ? server.firstPage("localhost", "Accept", accept)
                            : server.firstPage(
                                    "localhost", "Accept", accept, "authorization", authorization);
            assertThat(reply).startsWith("HTTP/1.1 401 ").doesNotContain("<html");
            assertThat(server.sqlReply("GET", "", "", "", "", "Accept", OF_BROWSER).body())
                    .contains("\"writableLocations\"");
        }
    }

    @Test
    void otherPathsAndNamesAreNotTouched(@TempDir Path data) {
        ServerFixture.command("keys", "new", "--data", data.resolve("d").toString());
        try (ServerFixture server =
                ServerFixture.start(Optional.of(data.resolve("d")), AccountSettings.DEFAULT)) {
            String page =
                    server.firstPage("a\"onload=\"x<b>&'", "Accept", "text/html", "X-Test", "1");
            assertThat(page)
                    .doesNotContain("<b>", "\"onload=\"", AccountKeys.WELL_KNOWN_KEY)
                    .doesNotContain(server.keys().primary(), server.keys().primaryReadOnly());
            page = server.firstPage("db.example:1", "Accept", "text/html");
            assertThat(page)
                    .startsWith("HTTP/1.1 200 ")
                    .contains("orrery keys show")
                    .doesNotContain(AccountKeys.WELL_KNOWN_KEY, server.keys().primary());
        }
    }
}
