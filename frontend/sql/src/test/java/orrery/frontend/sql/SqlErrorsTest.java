package orrery.frontend.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.frontend.http.Headers;
import orrery.frontend.rest.Json;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.ResourceId;
import orrery.model.SessionToken;
import orrery.model.metering.Charge;

class SqlErrorsTest {
    private static final String ACTIVITY = "11111111-2222-4333-8444-555555555555";

    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void everyCodeHasAStatusASubstatusAndAJsonBody(ErrorCode code) {
        TestClient.Reply reply =
                render(new OrreryException(code, "What \"happened\"\nto it."), Optional.empty());
        assertThat(reply.status()).isEqualTo(code.status());
        assertThat(reply.header("x-ms-substatus")).isEqualTo(Integer.toString(code.substatus()));
        assertThat(reply.header("Content-Type")).isEqualTo("application/json");
        assertThat(reply.header("x-ms-activity-id")).isEqualTo(ACTIVITY);
        assertThat(reply.header("x-ms-request-charge")).isEqualTo("0");
        assertThat(reply.string("code")).matches("[A-Z][A-Za-z]+");
        assertThat(reply.string("message"))
                .startsWith("Message: {\"Errors\":[\"What \\\"happened\\\"\\nto it.\"]}\r\n")
                .contains("ActivityId: " + ACTIVITY + ", Request URI: /dbs/x");
    }

    @Test
    void theMessageHoldsJsonThatCanBeRead() {
        String message =
                render(new OrreryException(ErrorCode.NOT_FOUND, "gone \\ \u00fc"), Optional.empty())
                        .string("message");
        String inner = message.substring("Message: ".length(), message.indexOf("\r\n"));
        assertThat(JsonText.parse(inner))
                .isEqualTo(
                        Json.object(
                                "Errors",
                                new Value.Array(java.util.List.of(Value.of("gone \\ \u00fc")))));
    }

    @Test
    void errorsOfTheQueryLanguageKeepTheirOwnForm() {
        String text = "{\"errors\":[{\"severity\":\"Error\",\"code\":\"SC1001\"}]}";
        assertThat(
                        render(new OrreryException(ErrorCode.BAD_REQUEST, text), Optional.empty())
                                .string("message"))
                .startsWith("Message: " + text + "\r\nActivityId: ");
    }

    @Test
    void aFailureSaysWhenToComeBackAndHowFarItGot() {
        OrreryException failure =
                new OrreryException(ErrorCode.TOO_MANY_REQUESTS, "slow down")
                        .withRetryAfter(Duration.ofMillis(42))
                        .withProgress(
                                new Charge(1, 1, 1024, 0, 0, 1, 1.235, 0, 0),
                                SessionToken.of(3, 77));
        TestClient.Reply reply =
                render(
                        failure,
                        Optional.of(new Owner(ResourceId.ofContainer(1, 1), "dbs/d/colls/c")));
        assertThat(reply.header("x-ms-retry-after-ms")).isEqualTo("42");
        assertThat(reply.header("x-ms-request-charge")).isEqualTo("1.24");
        assertThat(reply.header("x-ms-session-token")).isEqualTo("3:-1#77");
        assertThat(reply.header("x-ms-content-path")).isEqualTo("AQAAAIAAAAE=");
        assertThat(reply.header("x-ms-alt-content-path")).isEqualTo("dbs/d/colls/c");
    }

    @Test
    void aFailureIsRenderedEvenIfThePathCannotBeRead() {
        SqlRequest request =
                new SqlRequest(TestClient.request("GET", "/dbs/%zz", Headers.EMPTY, ""));
        TestClient.Reply reply =
                new TestClient.Reply(
                        SqlErrors.reply(
                                request,
                                new OrreryException(ErrorCode.NOT_FOUND, "gone"),
                                Optional.empty()));
        assertThat(reply.status()).isEqualTo(404);
        assertThat(reply.string("message")).startsWith("Message: {\"Errors\":[\"gone\"]}");
    }

    @Test
    void theHttpMachineryGetsTheSameForm() {
        TestClient.Reply reply = new TestClient.Reply(SqlEndpoint.errors().render(413, "too much"));
        assertThat(reply.status()).isEqualTo(413);
        assertThat(reply.string("code")).isEqualTo("RequestEntityTooLarge");
        // Clients compare the whole of it.
        assertThat(reply.string("message"))
                .startsWith("Message: {\"Errors\":[\"Request size is too large\"]}\r\n");
        assertThat(reply.header("x-ms-activity-id")).hasSize(36);
    }

    private static TestClient.Reply render(OrreryException failure, Optional<Owner> owner) {
        SqlRequest request =
                new SqlRequest(
                        TestClient.request(
                                "GET", "/dbs/x", Headers.of("x-ms-activity-id", ACTIVITY), ""));
        return new TestClient.Reply(SqlErrors.reply(request, failure, owner));
    }
}
