package orrery.frontend.gremlin;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import orrery.frontend.gremlin.traversal.GraphException;
import orrery.frontend.gremlin.wire.MalformedRequest;
import orrery.frontend.gremlin.wire.Status;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/**
 * A failure as drivers hear it.
 *
 * @param code of TinkerPop's protocol
 * @param serviceCode the cause, by which clients of the service tell failures apart
 * @param kind the exception that the service names
 * @param text for people
 */
record GremlinFailure(
        int code,
        int serviceCode,
        OptionalInt substatus,
        String kind,
        String text,
        Optional<Duration> retryAfter) {
    static final int LIMIT_EXCEEDED = 429;
    static final int NOT_EXECUTABLE = 1000;
    static final int NOT_SERIALIZABLE = 1001;
    static final int MEMORY_EXCEEDED = 1003;
    static final int MALFORMED = 1004;
    static final int BUSY = 1008;
    static final int TIMED_OUT = 1009;

    private static final String RUNTIME = "GraphRuntimeException";

    /** A time that always helps where the engine names none. */
    private static final Duration USUAL_RETRY = Duration.ofMillis(100);

    private GremlinFailure(int code, int serviceCode, String kind, String text) {
        this(code, serviceCode, OptionalInt.empty(), kind, text, Optional.empty());
    }

    static GremlinFailure of(GraphException failure) {
        String text = String.valueOf(failure.getMessage());
        return switch (failure.fault()) {
            case COMPILE ->
                    new GremlinFailure(
                            Status.SCRIPT_EVALUATION,
                            NOT_EXECUTABLE,
                            "GraphCompileException",
                            "Gremlin Query Compilation Error: " + text);
            case EXECUTION ->
                    new GremlinFailure(
                            Status.SERVER_ERROR,
                            NOT_EXECUTABLE,
                            RUNTIME,
                            "Gremlin Query Execution Error: " + text);
            case MALFORMED -> malformed(Status.MALFORMED_REQUEST, text);
            case LIMIT ->
                    new GremlinFailure(
                            Status.SERVER_ERROR,
                            LIMIT_EXCEEDED,
                            RUNTIME,
                            "Gremlin Query Execution Error: " + text);
            case MEMORY -> new GremlinFailure(Status.SERVER_ERROR, MEMORY_EXCEEDED, RUNTIME, text);
            case SERIALIZATION ->
                    new GremlinFailure(
                            Status.SERIALIZATION,
                            NOT_SERIALIZABLE,
                            "GraphSerializeException",
                            "Gremlin Serialization Error: " + text);
            case TIMEOUT -> timeout(text);
        };
    }

    static GremlinFailure of(MalformedRequest failure) {
        return malformed(failure.code(), failure.reason());
    }

    private static GremlinFailure malformed(int code, String text) {
        return new GremlinFailure(
                code, MALFORMED, "GraphMalformedException", "Gremlin Malformed Request: " + text);
    }

    static GremlinFailure timeout(String text) {
        return new GremlinFailure(
                Status.TIMEOUT,
                TIMED_OUT,
                "GraphTimeoutException",
                "Gremlin Query Execution Error: " + text);
    }

    static GremlinFailure busy() {
        return new GremlinFailure(
                Status.SERVER_ERROR,
                BUSY,
                "GraphBusyException",
                "Connection is too busy. Please retry after sometime or open more connections.");
    }

    static GremlinFailure of(OrreryException failure) {
        ErrorCode code = failure.code();
        return switch (code) {
            case TIMEOUT -> timeout(failure.text());
            case UNAUTHORIZED, MISSING_AUTHORIZATION, MALFORMED_AUTHORIZATION ->
                    of(failure, Status.UNAUTHORIZED, 401, "GraphUnauthorizedException");
            case FORBIDDEN, RIGHT_MISSING, RESOURCE_TYPE_MISSING, WRITE_FORBIDDEN ->
                    of(failure, Status.FORBIDDEN, 403, "ForbiddenException");
            case TOO_MANY_REQUESTS,
                    BUCKET_USED_UP,
                    BUCKETS_JUST_CHANGED,
                    TOO_MANY_SCRIPTS,
                    UNAVAILABLE ->
                    throttled(failure);
            case NOT_FOUND, OWNER_NOT_FOUND ->
                    of(failure, Status.SERVER_ERROR, 404, "NotFoundException");
            case CONFLICT, UNIQUE_KEY_VIOLATION, DATABASE_EXISTS, KEY_CHANGED, RETRY_WITH ->
                    of(failure, Status.SERVER_ERROR, 409, "ConflictException");
            case PRECONDITION_FAILED ->
                    of(failure, Status.SERVER_ERROR, 412, "PreconditionFailedException");
            default -> of(failure, Status.SERVER_ERROR, code.status(), RUNTIME);
        };
    }

    private static GremlinFailure throttled(OrreryException failure) {
        boolean isOfRate = failure.code().isOfRate();
        return new GremlinFailure(
                Status.SERVER_ERROR,
                failure.code().status(),
                OptionalInt.of(failure.code().substatus()),
                isOfRate ? "RequestRateTooLargeException" : RUNTIME,
                isOfRate
                        ? "Message: {\"Errors\":[\"Request rate is large. "
                                + failure.text()
                                + "\"]}"
                        : failure.text(),
                Optional.of(failure.retryAfter().orElse(USUAL_RETRY)));
    }

    private static GremlinFailure of(
            OrreryException failure, int code, int serviceCode, String kind) {
        return new GremlinFailure(
                code,
                serviceCode,
                OptionalInt.of(failure.code().substatus()),
                kind,
                failure.text(),
                failure.retryAfter());
    }

    /** Returns the name that the service has for a code of the protocol. */
    private String codeName() {
        return switch (code) {
            case Status.UNAUTHORIZED -> "Unauthorized";
            case Status.FORBIDDEN -> "Forbidden";
            case Status.MALFORMED_REQUEST -> "MalformedRequest";
            case Status.INVALID_ARGUMENTS -> "InvalidRequestArguments";
            case Status.SCRIPT_EVALUATION -> "ScriptEvaluationError";
            case Status.TIMEOUT -> "ServerTimeout";
            case Status.SERIALIZATION -> "ServerSerializationError";
            default -> "ServerError";
        };
    }

    /** Returns the text of the status, in the shape of the service. */
    String message(UUID activityId, UUID requestId) {
        if (code == Status.UNAUTHORIZED) {
            return text; // drivers show it as it is to whoever logs in
        }
        return "ActivityId : "
                + activityId
                + "\nExceptionType : "
                + kind
                + "\nExceptionMessage :\n\t"
                + text
                + "\n\tGremlinRequestId : "
                + requestId
                + "\n\tContext : graphcompute\n\tGraphStatusCode : "
                + codeName();
    }
}
