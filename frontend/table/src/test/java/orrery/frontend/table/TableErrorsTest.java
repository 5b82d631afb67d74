package orrery.frontend.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import orrery.frontend.http.Headers;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpRequest;
import orrery.frontend.table.TableErrors.Subject;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

class TableErrorsTest {
    private static final Instant NOW = Instant.parse("2026-11-15T06:34:56Z");
    private static final UUID ID = new UUID(1, 2);

    private static TableException told(ErrorCode code, Subject subject) {
        return TableErrors.of(new OrreryException(code, "because"), subject);
    }

    private static TableClient.Reply reply(
            TableException failure, String target, String... headers) {
        HttpRequest request = HttpRequest.of("GET", target, Headers.of(headers), Bytes.EMPTY);
        return new TableClient.Reply(TableErrors.reply(request, ID, failure, NOW));
    }

    /** No failure of the engine gets another kind of status than the one that it has. */
    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void everyFailureHasACodeOfTheService(ErrorCode code) {
        Map<ErrorCode, Integer> others = new EnumMap<>(ErrorCode.class);
        others.put(ErrorCode.UNAUTHORIZED, 403);
        others.put(ErrorCode.MISSING_AUTHORIZATION, 403);
        others.put(ErrorCode.MALFORMED_AUTHORIZATION, 403);
        others.put(ErrorCode.READ_SESSION_NOT_AVAILABLE, 503);
        others.put(ErrorCode.CONTAINER_CREATE_IN_PROGRESS, 503);
        others.put(ErrorCode.KEY_CHANGED, 503);
        others.put(ErrorCode.TRANSACTION_TOO_OLD, 503);
        others.put(ErrorCode.STATEMENT_DONE, 503);
        others.put(ErrorCode.NAME_CACHE_STALE, 503);
        others.put(ErrorCode.RANGE_GONE, 503);
        others.put(ErrorCode.COMPLETING_SPLIT, 503);
        others.put(ErrorCode.RETRY_WITH, 503);
        others.put(ErrorCode.TIMEOUT, 500);
        others.put(ErrorCode.TOO_LARGE, 400);
        others.put(ErrorCode.TRANSACTION_TOO_LARGE, 400);
        others.put(ErrorCode.BATCH_RESPONSE_TOO_LARGE, 400);
        others.put(ErrorCode.FAILED_DEPENDENCY, 400);
        others.put(ErrorCode.HEADERS_TOO_LARGE, 400);
        for (Subject subject : Subject.values()) {
            assertThat(told(code, subject).code().status())
                    .isEqualTo(others.getOrDefault(code, code.status()));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "NOT_FOUND,ENTITY,ResourceNotFound",
        "NOT_FOUND,TABLE,ResourceNotFound",
        "OWNER_NOT_FOUND,ENTITY,TableNotFound",
        "OWNER_NOT_FOUND,TABLE,ResourceNotFound",
        "CONFLICT,ENTITY,EntityAlreadyExists",
        "CONFLICT,TABLE,TableAlreadyExists",
        "PRECONDITION_FAILED,ENTITY,UpdateConditionNotSatisfied",
        "TOO_LARGE,ENTITY,EntityTooLarge",
        "BAD_REQUEST,ENTITY,InvalidInput",
        "TOO_MANY_REQUESTS,ENTITY,TooManyRequests",
        "UNAVAILABLE,ENTITY,ServerBusy",
    })
    void theSubjectDecidesWhatIsMissingOrInTheWay(
            ErrorCode code, Subject subject, String expected) {
        assertThat(told(code, subject).code().text()).isEqualTo(expected);
    }

    @Test
    void throttlingSaysWhenToComeBack() {
        TableException failure =
                TableErrors.of(
                        new OrreryException(ErrorCode.TOO_MANY_REQUESTS, "slow down")
                                .withRetryAfter(Duration.ofMillis(1250)),
                        Subject.ENTITY);
        TableClient.Reply reply = reply(failure, "/T()", "Accept", "application/json");
        assertThat(reply.outcome()).isEqualTo("429 TooManyRequests");
        assertThat(reply.header("Retry-After")).isEqualTo("2");
        assertThat(reply.header("x-ms-retry-after-ms")).isEqualTo("1250");
        assertThat(reply.text())
                .isEqualTo(
                        "{\"odata.error\":{\"code\":\"TooManyRequests\",\"message\":{\"lang\":\"en-US\",\"value\":\"Too"
                                + " Many Requests\\n"
                                + "RequestId:"
                                + ID
                                + "\\nTime:2026-11-15T06:34:56.0000000Z\"}}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    /T()                              | application/json              | true
                    /T()                              | application/json;odata=verbose | true
                    /T()                              | */*                           | true
                    /T()                              | application/atom+xml          | false
                    /T()?$format=json                 | application/atom+xml          | true
                    /T?comp=acl                       | application/json              | false
                    /?restype=service&comp=properties | application/json              | false
                    """)
    void theRequestDecidesTheFormat(String target, String accept, boolean isJson) {
        TableException failure = new TableException(TableErrorCode.INVALID_INPUT, "a <b> & \u0001");
        TableClient.Reply reply = reply(failure, target, "Accept", accept);
        if (isJson) {
            assertThat(reply.text()).startsWith("{\"odata.error\":");
        } else {
            assertThat(reply.text())
                    .contains("<code>InvalidInput</code><message>a &lt;b&gt; &amp; ?\n");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "400,InvalidInput",
        "413,RequestBodyTooLarge",
        "503,ServerBusy",
        "431,RequestHeaderFieldsTooLarge",
    })
    void theServersOwnRefusalsHaveTheForm(int status, String code) {
        HttpReply reply = TableErrors.renderer(() -> NOW).render(status, "text");
        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.headers().find("x-ms-error-code")).isEqualTo(Optional.of(code));
        assertThat(new TableClient.Reply(reply).text()).contains("\"code\":\"" + code + "\"");
    }
}
