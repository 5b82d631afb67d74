package orrery.frontend.sql;

import java.util.Optional;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.frontend.http.ErrorRenderer;
import orrery.frontend.http.Headers;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpRequest;
import orrery.frontend.rest.Json;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.ItemRules;
import orrery.model.OrreryException;

/**
 * Failures as the SDKs read them: a status, a substatus, and always a JSON body, because some of
 * them fail on an error without one.
 */
final class SqlErrors {
    private static final int NOT_FOUND = 404;
    private static final int TOO_LARGE = 413;

    private SqlErrors() {}

    /**
     * Renders a failure.
     *
     * @param owner the container that was addressed. It is named where the failure says how far a
     *     session has come; clients keep that only with the rid of the container.
     */
    static HttpReply reply(SqlRequest request, OrreryException failure, Optional<Owner> owner) {
        return reply(request, failure, owner, "");
    }

    /** Renders the failure of a request for a plan, which clients know by how it begins. */
    static HttpReply ofPlan(SqlRequest request, OrreryException failure) {
        return reply(request, failure, Optional.empty(), "Gateway Failed to Retrieve Query Plan: ");
    }

    private static HttpReply reply(
            SqlRequest request, OrreryException failure, Optional<Owner> owner, String beginning) {
        ErrorCode code = failure.code();
        SqlReply reply =
                new SqlReply(request, code.status())
                        .charge(failure.charge())
                        .header(SqlHeaders.SUBSTATUS, Integer.toString(code.substatus()));
        failure.retryAfter()
                .ifPresent(
                        delay ->
                                reply.header(
                                        SqlHeaders.RETRY_AFTER_MS,
                                        Long.toString(delay.toMillis())));
        failure.sessionToken().ifPresent(reply::sessionToken);
        owner.filter(_ -> failure.sessionToken().isPresent())
                .ifPresent(
                        known -> {
                            if (code.status() == NOT_FOUND) {
                                reply.ownerPath(known.path());
                            } else {
                                reply.owner(known.rid(), known.path());
                            }
                        });
        return reply.body(
                        body(
                                name(code),
                                beginning
                                        + message(
                                                code == ErrorCode.NOT_FOUND && isPointRead(request)
                                                        ? failure.text()
                                                        : listed(failure.text()),
                                                request.activityId().toString(),
                                                request.http().path())))
                .build();
    }

    /** Renders the errors of requests that the HTTP server refuses by itself. */
    static ErrorRenderer renderer() {
        return (status, text) -> {
            SqlRequest nobody =
                    new SqlRequest(HttpRequest.of("GET", "/", Headers.EMPTY, Bytes.EMPTY));
            String activity = nobody.activityId().toString();
            String told = status == TOO_LARGE ? ItemRules.TOO_LARGE : text;
            return new SqlReply(nobody, status)
                    .header(SqlHeaders.SUBSTATUS, "0")
                    .body(body(ErrorRenderer.code(status), message(listed(told), activity, "")))
                    .build();
        };
    }

    private static Value body(String code, String message) {
        return Json.object("code", Value.of(code), "message", Value.of(message));
    }

    /** The service says in plain words that an item is not there, and clients look for those. */
    private static boolean isPointRead(SqlRequest request) {
        return request.method().equals("GET") && namesItem(request.http().path());
    }

    private static boolean namesItem(String path) {
        try {
            return SqlRoute.of(SqlPath.parse(path))
                    .filter(SqlRoute.Item.class::isInstance)
                    .isPresent();
        } catch (OrreryException malformed) {
            return false; // the failure that is being rendered counts, not this one
        }
    }

    /** Errors of the query language are lists of their own, with positions in the text. */
    private static String listed(String text) {
        boolean isList = text.startsWith("{\"errors\":") || text.startsWith("{\"Errors\":");
        return "Message: "
                + (isList ? text : "{\"Errors\":[" + JsonText.write(Value.of(text)) + "]}");
    }

    private static String message(String text, String activityId, String path) {
        return text
                + "\r\nActivityId: "
                + activityId
                + ", Request URI: "
                + path
                + ", RequestStats: , SDK: Orrery";
    }

    /** The name of the status, which some clients compare. */
    static String name(ErrorCode code) {
        return switch (code) {
            case BAD_REQUEST,
                    VERSIONS_NOT_KEPT,
                    VERSIONS_LOST,
                    PLACE_UNKNOWN,
                    OUTSIDE_TRANSACTION,
                    SCRIPT_FAILED,
                    SCRIPT_NOT_COMPILED,
                    PARTITION_KEY_MISMATCH,
                    CROSS_PARTITION_QUERY_NOT_SERVABLE,
                    WRONG_CONTAINER_RID,
                    SHARED_CONTAINER_LIMIT,
                    OFFER_REPLACE_IN_PROGRESS,
                    NON_FINITE_RESULT ->
                    "BadRequest";
            case UNAUTHORIZED, MISSING_AUTHORIZATION, MALFORMED_AUTHORIZATION -> "Unauthorized";
            case FORBIDDEN,
                    RIGHT_MISSING,
                    RESOURCE_TYPE_MISSING,
                    WRITE_FORBIDDEN,
                    PROVISION_LIMIT_REACHED,
                    LOGICAL_PARTITION_FULL,
                    FIXED_CONTAINER_FULL ->
                    "Forbidden";
            case NOT_FOUND,
                    READ_SESSION_NOT_AVAILABLE,
                    OWNER_NOT_FOUND,
                    CONTAINER_CREATE_IN_PROGRESS ->
                    "NotFound";
            case METHOD_NOT_ALLOWED -> "MethodNotAllowed";
            case TIMEOUT -> "RequestTimeout";
            case CONFLICT,
                    DATABASE_EXISTS,
                    UNIQUE_KEY_VIOLATION,
                    KEY_CHANGED,
                    TRANSACTION_TOO_OLD,
                    STATEMENT_DONE ->
                    "Conflict";
            case NAME_CACHE_STALE, RANGE_GONE, COMPLETING_SPLIT -> "Gone";
            case PRECONDITION_FAILED -> "PreconditionFailed";
            case TOO_LARGE, BATCH_RESPONSE_TOO_LARGE, TRANSACTION_TOO_LARGE ->
                    "RequestEntityTooLarge";
            case FAILED_DEPENDENCY -> "FailedDependency";
            case TOO_MANY_REQUESTS, BUCKET_USED_UP, BUCKETS_JUST_CHANGED, TOO_MANY_SCRIPTS ->
                    "TooManyRequests";
            case HEADERS_TOO_LARGE -> "RequestHeaderFieldsTooLarge";
            case RETRY_WITH -> "RetryWith";
            case INTERNAL -> "InternalServerError";
            case NOT_IMPLEMENTED -> "NotImplemented";
            case UNAVAILABLE -> "ServiceUnavailable";
        };
    }
}
