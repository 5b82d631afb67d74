package orrery.frontend.mongo.command;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import orrery.document.BsonCodec;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.DocumentViolation;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.query.mongo.MongoCode;

/**
 * A failure as drivers hear it.
 *
 * @param details fields beside number and message, such as the key of a duplicate
 */
public record MongoFailure(int code, String message, Value.Obj details) {
    private static final Value.Obj NOTHING = new Doc().build();

    /** A time that always helps where the engine names none. */
    private static final Duration USUAL_RETRY = Duration.ofMillis(100);

    public MongoFailure(int code, String message) {
        this(code, message, NOTHING);
    }

    public static MongoFailure of(OrreryException failure) {
        OptionalInt named = failure.languageCode();
        int code = named.isPresent() ? named.getAsInt() : code(failure.code());
        return new MongoFailure(
                code,
                code == MongoCode.REQUEST_RATE_TOO_LARGE.number()
                        ? throttled(failure)
                        : failure.text(),
                details(failure));
    }

    /** The reasons why a document does not meet its validator, in the form of servers. */
    private static Value.Obj details(OrreryException failure) {
        return failure.violation().orElse(null) instanceof DocumentViolation(Bytes reasons)
                ? new Doc().put("errInfo", BsonCodec.read(reasons)).build()
                : NOTHING;
    }

    MongoFailure with(Value.Obj more) {
        return new MongoFailure(code, message, more);
    }

    /** The words that clients of the service split and look for the time in. */
    private static String throttled(OrreryException failure) {
        return "Error="
                + MongoCode.REQUEST_RATE_TOO_LARGE.number()
                + ", RetryAfterMs="
                + failure.retryAfter().orElse(USUAL_RETRY).toMillis()
                + ", Details='Response status code does not indicate success: TooManyRequests (429);"
                + " Substatus: "
                + failure.code().substatus()
                + "; Reason: ("
                + failure.text()
                + ")'";
    }

    private static int code(ErrorCode code) {
        return switch (code) {
            case BAD_REQUEST,
                    SCRIPT_FAILED,
                    SCRIPT_NOT_COMPILED,
                    WRONG_CONTAINER_RID,
                    SHARED_CONTAINER_LIMIT,
                    NON_FINITE_RESULT,
                    METHOD_NOT_ALLOWED,
                    HEADERS_TOO_LARGE ->
                    MongoCode.BAD_VALUE.number();
            case VERSIONS_NOT_KEPT, VERSIONS_LOST -> MongoCode.CHANGE_STREAM_HISTORY_LOST.number();
            case PLACE_UNKNOWN -> MongoCode.INVALID_RESUME_TOKEN.number();
            case OUTSIDE_TRANSACTION -> MongoCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION.number();
            case TRANSACTION_TOO_LARGE -> MongoCode.TRANSACTION_TOO_LARGE.number();
            case PARTITION_KEY_MISMATCH -> MongoCode.SHARD_KEY_NOT_FOUND.number();
            case CROSS_PARTITION_QUERY_NOT_SERVABLE -> MongoCode.QUERY_EXCEEDED_MEMORY.number();
            case OFFER_REPLACE_IN_PROGRESS, FAILED_DEPENDENCY, PROVISION_LIMIT_REACHED ->
                    MongoCode.OPERATION_FAILED.number();
            case UNAUTHORIZED,
                    MISSING_AUTHORIZATION,
                    MALFORMED_AUTHORIZATION,
                    FORBIDDEN,
                    RIGHT_MISSING,
                    RESOURCE_TYPE_MISSING,
                    WRITE_FORBIDDEN ->
                    MongoCode.UNAUTHORIZED.number();
            case LOGICAL_PARTITION_FULL, FIXED_CONTAINER_FULL -> OUT_OF_DISK_SPACE;
            case NOT_FOUND, OWNER_NOT_FOUND -> MongoCode.NAMESPACE_NOT_FOUND.number();
            case READ_SESSION_NOT_AVAILABLE -> SNAPSHOT_UNAVAILABLE;
            case TIMEOUT -> MongoCode.MAX_TIME_EXPIRED.number();
            case CONFLICT, UNIQUE_KEY_VIOLATION -> MongoCode.DUPLICATE_KEY.number();
            case DATABASE_EXISTS -> MongoCode.NAMESPACE_EXISTS.number();
            case KEY_CHANGED, PRECONDITION_FAILED, RETRY_WITH, STATEMENT_DONE ->
                    MongoCode.WRITE_CONFLICT.number();
            case TRANSACTION_TOO_OLD -> MongoCode.TRANSACTION_TOO_OLD.number();
            // Clients look again for who serves a range, and send once more.
            case CONTAINER_CREATE_IN_PROGRESS, NAME_CACHE_STALE, RANGE_GONE, COMPLETING_SPLIT ->
                    STATE_CHANGED;
            case TOO_LARGE, BATCH_RESPONSE_TOO_LARGE -> MongoCode.BSON_OBJECT_TOO_LARGE.number();
            case TOO_MANY_REQUESTS, BUCKET_USED_UP, BUCKETS_JUST_CHANGED, TOO_MANY_SCRIPTS ->
                    MongoCode.REQUEST_RATE_TOO_LARGE.number();
            case INTERNAL -> MongoCode.INTERNAL_ERROR.number();
            case NOT_IMPLEMENTED -> MongoCode.NOT_IMPLEMENTED.number();
            case UNAVAILABLE -> MongoCode.HOST_UNREACHABLE.number();
        };
    }

    private static final int OUT_OF_DISK_SPACE = 14031;
    private static final int SNAPSHOT_UNAVAILABLE = 246;
    private static final int STATE_CHANGED = 11602;

    private static String name(int code) {
        return switch (code) {
            case OUT_OF_DISK_SPACE -> "OutOfDiskSpace";
            case SNAPSHOT_UNAVAILABLE -> "SnapshotUnavailable";
            case STATE_CHANGED -> "InterruptedDueToReplStateChange";
            default -> MongoCode.nameOf(code);
        };
    }

    /** The answer to a message that is no command, or to a command without a number. */
    public Bytes reply() {
        return reply(Map.of());
    }

    /**
     * The answer to a command that has failed as a whole.
     *
     * @param command its fields, which say what its sender may send again
     */
    Bytes reply(Map<String, Value> command) {
        return reply(ErrorLabels.of(command, code));
    }

    /** The answer to a getMore of a change stream that has failed. */
    Bytes replyOfStream() {
        return reply(ErrorLabels.ofStream(code));
    }

    private Bytes reply(List<String> labels) {
        Doc reply =
                new Doc()
                        .putDouble("ok", 0.0)
                        .put("errmsg", message)
                        .put("code", code)
                        .put("codeName", name(code))
                        .putAll(details);
        if (!labels.isEmpty()) {
            reply.putTexts("errorLabels", labels);
        }
        return BsonCodec.write(reply.build());
    }

    /** Returns true if a write that has failed so may be sent again, if it has a number. */
    boolean isRetryable() {
        return ErrorLabels.isRetryable(code);
    }

    /** One of the {@code writeErrors} of a write. */
    Value.Obj writeError(int index) {
        return new Doc()
                .put("index", index)
                .put("code", code)
                .put("errmsg", message)
                .putAll(details)
                .build();
    }

    Optional<Value> detail(String name) {
        return Optional.ofNullable(details.properties().get(name));
    }
}
