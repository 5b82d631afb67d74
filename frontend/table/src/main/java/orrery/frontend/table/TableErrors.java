package orrery.frontend.table;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.document.edm.EntityLimits;
import orrery.frontend.http.ErrorRenderer;
import orrery.frontend.http.Headers;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpRequest;
import orrery.frontend.rest.Json;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.RequestContext;

/** Failures as clients of tables read them: a status, a code, and a body in JSON or XML. */
final class TableErrors {
    private static final String JSON = MetadataLevel.MINIMAL.contentType();
    private static final String XML = "application/xml";

    /** The kind of resource that a request is about; it decides what is missing or in the way. */
    enum Subject {
        TABLE,
        ENTITY
    }

    private TableErrors() {}

    /** A failure of the engine in the words of the service. */
    static TableException of(OrreryException failure, Subject subject) {
        TableErrorCode code =
                failure.text().equals(EntityLimits.TOO_MANY_PROPERTIES)
                        ? TableErrorCode.TOO_MANY_PROPERTIES
                        : code(failure.code(), subject);
        return new TableException(
                code, text(code, failure), failure.charge(), failure.retryAfter());
    }

    /** Clients compare the sentences of the service, so only refusals of input say more. */
    private static String text(TableErrorCode code, OrreryException failure) {
        return switch (code) {
            case INVALID_INPUT,
                    NOT_IMPLEMENTED,
                    AUTHORIZATION_FAILURE,
                    LIMIT_REACHED,
                    INTERNAL_ERROR,
                    SERVER_BUSY ->
                    code.sentence() + " " + failure.text();
            default -> code.sentence();
        };
    }

    private static TableErrorCode code(ErrorCode code, Subject subject) {
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
                    NON_FINITE_RESULT,
                    FAILED_DEPENDENCY ->
                    TableErrorCode.INVALID_INPUT;
            case UNAUTHORIZED, MISSING_AUTHORIZATION, MALFORMED_AUTHORIZATION ->
                    TableErrorCode.AUTHENTICATION_FAILED;
            case FORBIDDEN, WRITE_FORBIDDEN -> TableErrorCode.AUTHORIZATION_FAILURE;
            case RIGHT_MISSING -> TableErrorCode.AUTHORIZATION_PERMISSION_MISMATCH;
            case RESOURCE_TYPE_MISSING -> TableErrorCode.AUTHORIZATION_RESOURCE_TYPE_MISMATCH;
            case PROVISION_LIMIT_REACHED, LOGICAL_PARTITION_FULL, FIXED_CONTAINER_FULL ->
                    TableErrorCode.LIMIT_REACHED;
            case NOT_FOUND -> TableErrorCode.RESOURCE_NOT_FOUND;
            case OWNER_NOT_FOUND ->
                    subject == Subject.TABLE
                            ? TableErrorCode.RESOURCE_NOT_FOUND
                            : TableErrorCode.TABLE_NOT_FOUND;
            case METHOD_NOT_ALLOWED -> TableErrorCode.METHOD_NOT_ALLOWED;
            case TIMEOUT -> TableErrorCode.OPERATION_TIMED_OUT;
            case CONFLICT, DATABASE_EXISTS, UNIQUE_KEY_VIOLATION ->
                    subject == Subject.TABLE
                            ? TableErrorCode.TABLE_ALREADY_EXISTS
                            : TableErrorCode.ENTITY_ALREADY_EXISTS;
            case PRECONDITION_FAILED -> TableErrorCode.UPDATE_CONDITION_NOT_SATISFIED;
            case TOO_LARGE, BATCH_RESPONSE_TOO_LARGE, TRANSACTION_TOO_LARGE ->
                    TableErrorCode.ENTITY_TOO_LARGE;
            case TOO_MANY_REQUESTS, BUCKET_USED_UP, BUCKETS_JUST_CHANGED, TOO_MANY_SCRIPTS ->
                    TableErrorCode.TOO_MANY_REQUESTS;
            case HEADERS_TOO_LARGE -> TableErrorCode.INVALID_HEADER_VALUE;
            case INTERNAL -> TableErrorCode.INTERNAL_ERROR;
            case NOT_IMPLEMENTED -> TableErrorCode.NOT_IMPLEMENTED;
            // Clients of tables do not know these; all of them come again after a 503.
            case READ_SESSION_NOT_AVAILABLE,
                    CONTAINER_CREATE_IN_PROGRESS,
                    KEY_CHANGED,
                    TRANSACTION_TOO_OLD,
                    STATEMENT_DONE,
                    NAME_CACHE_STALE,
                    RANGE_GONE,
                    COMPLETING_SPLIT,
                    RETRY_WITH,
                    UNAVAILABLE ->
                    TableErrorCode.SERVER_BUSY;
        };
    }

    static HttpReply reply(HttpRequest http, UUID id, TableException failure, Instant now) {
        TableErrorCode code = failure.code();
        String text = message(failure.text(), id, now);
        TableReply reply =
                new TableReply(http, id, code.status())
                        .charge(failure.charge())
                        .header("x-ms-error-code", code.text());
        failure.retryAfter()
                .ifPresent(
                        delay ->
                                reply.header("Retry-After", Long.toString(seconds(delay)))
                                        .header(
                                                "x-ms-retry-after-ms",
                                                Long.toString(delay.toMillis())));
        return wantsJson(http)
                ? reply.body(JSON, json(code.text(), text)).build()
                : reply.body(XML, xml(code.text(), text)).build();
    }

    /** Rounded up: a client that comes back too early is refused again. */
    private static long seconds(Duration delay) {
        return delay.plusMillis(999).toSeconds();
    }

    /** Service properties and access policies are XML, and so is what is wrong with them. */
    private static boolean wantsJson(HttpRequest http) {
        try {
            QueryOptions options = QueryOptions.parse(http.query());
            if (options.has("comp") || options.has("restype")) {
                return false;
            }
            MetadataLevel.of(options.find("$format"), http.header("Accept"));
            return true;
        } catch (TableException noJson) {
            return http.header("Accept").filter(text -> text.contains("json")).isPresent();
        }
    }

    /** The body of an error; a part of a batch has the same. */
    static Bytes json(String code, String message) {
        return JsonText.writeBytes(
                Json.object(
                        "odata.error",
                        Json.object(
                                "code",
                                Value.of(code),
                                "message",
                                Json.object(
                                        "lang", Value.of("en-US"), "value", Value.of(message)))));
    }

    static String message(String text, UUID id, Instant now) {
        return text + "\nRequestId:" + id + "\nTime:" + TableTime.format(now);
    }

    /**
     * The form of the Table service, which is not that of other services of storage. The language
     * of the message is left out: the JavaScript SDK takes an element with an attribute for an
     * object, and then has no text.
     */
    private static Bytes xml(String code, String message) {
        return Bytes.ofUtf8(
                XmlText.HEAD
                        + "<error xmlns=\"http://schemas.microsoft.com/ado/2007/08/dataservices/metadata\">"
                        + XmlText.element("code", code)
                        + XmlText.element("message", message)
                        + "</error>");
    }

    /** Renders the errors of requests that the HTTP server refuses by itself. */
    static ErrorRenderer renderer(InstantSource clock) {
        return (status, text) -> {
            HttpRequest nobody = HttpRequest.of("GET", "/", Headers.EMPTY, Bytes.EMPTY);
            UUID id = RequestContext.newActivityId();
            String code = code(status);
            return new TableReply(nobody, id, status)
                    .header("x-ms-error-code", code)
                    .body(JSON, json(code, message(text, id, clock.instant())))
                    .build();
        };
    }

    private static String code(int status) {
        Optional<TableErrorCode> known =
                switch (status) {
                    case 400 -> Optional.of(TableErrorCode.INVALID_INPUT);
                    case 405 -> Optional.of(TableErrorCode.METHOD_NOT_ALLOWED);
                    case 408 -> Optional.of(TableErrorCode.OPERATION_TIMED_OUT);
                    case 413 -> Optional.of(TableErrorCode.REQUEST_BODY_TOO_LARGE);
                    case 500 -> Optional.of(TableErrorCode.INTERNAL_ERROR);
                    case 501 -> Optional.of(TableErrorCode.NOT_IMPLEMENTED);
                    case 503 -> Optional.of(TableErrorCode.SERVER_BUSY);
                    default -> Optional.empty();
                };
        return known.map(TableErrorCode::text).orElseGet(() -> ErrorRenderer.code(status));
    }
}
