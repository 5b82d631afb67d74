package orrery.frontend.mongo.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.query.mongo.Documents;
import orrery.query.mongo.MongoCode;

final class MongoFailureTest {
    private static Value.Obj reply(OrreryException failure, boolean isRetryable) {
        return reply(failure, isRetryable ? "{'insert':'c','txnNumber':1}" : "{'insert':'c'}");
    }

    private static Value.Obj reply(OrreryException failure, String command) {
        return BsonCodec.read(MongoFailure.of(failure).reply(Documents.of(command).properties()));
    }

    /** Clients of the service split the words to find how long they shall wait. */
    @Test
    void saysHowLongToWait() {
        OrreryException failure =
                new OrreryException(ErrorCode.TOO_MANY_REQUESTS, "Too many.")
                        .withRetryAfter(Duration.ofMillis(37));
        assertThat(reply(failure, false).properties())
                .containsEntry("code", Value.of(16500))
                .containsEntry("codeName", Value.of("RequestRateTooLarge"))
                .containsEntry(
                        "errmsg",
                        Value.of(
                                "Error=16500, RetryAfterMs=37, Details='Response status code does"
                                        + " not indicate success: TooManyRequests (429);"
                                        + " Substatus: "
                                        + ErrorCode.TOO_MANY_REQUESTS.substatus()
                                        + "; Reason: (Too many.)'"));
        assertThat(MongoFailure.of(new OrreryException(ErrorCode.TOO_MANY_REQUESTS, "x")).message())
                .contains("RetryAfterMs=100,");
    }

    @ParameterizedTest
    @CsvSource({
        "NOT_FOUND, 26, NamespaceNotFound",
        "CONFLICT, 11000, DuplicateKey",
        "UNIQUE_KEY_VIOLATION, 11000, DuplicateKey",
        "TIMEOUT, 50, MaxTimeMSExpired",
        "TOO_MANY_REQUESTS, 16500, RequestRateTooLarge",
        "PARTITION_KEY_MISMATCH, 61, ShardKeyNotFound",
        "PRECONDITION_FAILED, 112, WriteConflict",
        "LOGICAL_PARTITION_FULL, 14031, OutOfDiskSpace",
        "RANGE_GONE, 11602, InterruptedDueToReplStateChange",
        "TOO_LARGE, 10334, BSONObjectTooLarge",
        "FORBIDDEN, 13, Unauthorized",
        "UNAVAILABLE, 6, HostUnreachable",
        "INTERNAL, 1, InternalError"
    })
    void hasANumberAndAName(ErrorCode code, long number, String name) {
        Value.Obj reply = reply(new OrreryException(code, "x"), false);
        assertThat(reply.properties())
                .containsEntry("code", Value.of(number))
                .containsEntry("codeName", Value.of(name))
                .containsEntry("ok", new Value.Real(0.0));
    }

    @ParameterizedTest
    @EnumSource
    void hasANumberForEveryFailureOfTheEngine(ErrorCode code) {
        assertThat(MongoFailure.of(new OrreryException(code, "x")).code()).isPositive();
    }

    @Test
    void keepsTheNumberThatALanguageGave() {
        Value.Obj reply = reply(MongoCode.failure(40324, "Unrecognized"), false);
        assertThat(reply)
                .isEqualTo(
                        Documents.of(
                                "{'ok':{'$numberDouble':'0.0'},'errmsg':'Unrecognized',"
                                        + "'code':40324,'codeName':'Location40324'}"));
    }

    @Test
    void marksWhatMayBeSentAgain() {
        OrreryException gone = new OrreryException(ErrorCode.RANGE_GONE, "x");
        assertThat(reply(gone, true).properties())
                .containsEntry("errorLabels", Documents.value("['RetryableWriteError']"));
        assertThat(reply(gone, false).properties()).doesNotContainKey("errorLabels");
        OrreryException taken = new OrreryException(ErrorCode.CONFLICT, "x");
        assertThat(reply(taken, true).properties()).doesNotContainKey("errorLabels");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "KEY_CHANGED | insert | ['TransientTransactionError']",
                "KEY_CHANGED | commitTransaction | ['TransientTransactionError']",
                "RANGE_GONE | insert | ['TransientTransactionError']",
                "RANGE_GONE | commitTransaction | ['RetryableWriteError']",
                "TIMEOUT | commitTransaction | ",
                "OUTSIDE_TRANSACTION | insert | "
            })
    void saysWhetherATransactionMayBeTriedAgain(ErrorCode code, String command, String labels) {
        Value.Obj reply =
                reply(
                        new OrreryException(code, "x"),
                        "{'" + command + "':1,'txnNumber':1,'autocommit':false}");

        assertThat(reply.properties().get("errorLabels"))
                .isEqualTo(labels == null ? null : Documents.value(labels));
    }
}
