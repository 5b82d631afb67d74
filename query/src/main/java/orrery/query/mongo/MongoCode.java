package orrery.query.mongo;

import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/**
 * The numbers and names by which MongoDB's clients know failures. The list has those that have a
 * name; a failure with another number is made with {@link #failure(int, String)} and is called
 * "Location" and that number.
 */
public enum MongoCode {
    INTERNAL_ERROR(1, "InternalError"),
    BAD_VALUE(2, "BadValue"),
    NO_SUCH_KEY(4, "NoSuchKey"),
    GRAPH_CONTAINS_CYCLE(5, "GraphContainsCycle"),
    HOST_UNREACHABLE(6, "HostUnreachable"),
    FAILED_TO_PARSE(9, "FailedToParse"),
    USER_NOT_FOUND(11, "UserNotFound"),
    UNSUPPORTED_FORMAT(12, "UnsupportedFormat"),
    UNAUTHORIZED(13, "Unauthorized"),
    TYPE_MISMATCH(14, "TypeMismatch"),
    OVERFLOW(15, "Overflow"),
    INVALID_LENGTH(16, "InvalidLength"),
    PROTOCOL_ERROR(17, "ProtocolError"),
    AUTHENTICATION_FAILED(18, "AuthenticationFailed"),
    ILLEGAL_OPERATION(20, "IllegalOperation"),
    INVALID_BSON(22, "InvalidBSON"),
    ALREADY_INITIALIZED(23, "AlreadyInitialized"),
    NAMESPACE_NOT_FOUND(26, "NamespaceNotFound"),
    INDEX_NOT_FOUND(27, "IndexNotFound"),
    PATH_NOT_VIABLE(28, "PathNotViable"),
    CANNOT_BACKFILL_ARRAY(34, "CannotBackfillArray"),
    CONFLICTING_UPDATE_OPERATORS(40, "ConflictingUpdateOperators"),
    CURSOR_NOT_FOUND(43, "CursorNotFound"),
    NO_MATCHING_DOCUMENT(47, "NoMatchingDocument"),
    NAMESPACE_EXISTS(48, "NamespaceExists"),
    MAX_TIME_EXPIRED(50, "MaxTimeMSExpired"),
    DOLLAR_PREFIXED_FIELD_NAME(52, "DollarPrefixedFieldName"),
    INVALID_ID_FIELD(53, "InvalidIdField"),
    NOT_SINGLE_VALUE_FIELD(54, "NotSingleValueField"),
    EMPTY_FIELD_NAME(56, "EmptyFieldName"),
    DOTTED_FIELD_NAME(57, "DottedFieldName"),
    COMMAND_NOT_FOUND(59, "CommandNotFound"),
    SHARD_KEY_NOT_FOUND(61, "ShardKeyNotFound"),
    WRITE_CONCERN_TIMEOUT(64, "WriteConcernTimeout"),
    IMMUTABLE_FIELD(66, "ImmutableField"),
    CANNOT_CREATE_INDEX(67, "CannotCreateIndex"),
    INDEX_ALREADY_EXISTS(68, "IndexAlreadyExists"),
    INVALID_OPTIONS(72, "InvalidOptions"),
    INVALID_NAMESPACE(73, "InvalidNamespace"),
    UNKNOWN_REPL_WRITE_CONCERN(79, "UnknownReplWriteConcern"),
    INDEX_OPTIONS_CONFLICT(85, "IndexOptionsConflict"),
    INDEX_KEY_SPECS_CONFLICT(86, "IndexKeySpecsConflict"),
    NETWORK_TIMEOUT(89, "NetworkTimeout"),
    SHUTDOWN_IN_PROGRESS(91, "ShutdownInProgress"),
    OPERATION_FAILED(96, "OperationFailed"),
    WRITE_CONFLICT(112, "WriteConflict"),
    DOCUMENT_VALIDATION_FAILURE(121, "DocumentValidationFailure"),
    COMMAND_NOT_SUPPORTED(115, "CommandNotSupported"),
    CLIENT_METADATA_CANNOT_BE_MUTATED(186, "ClientMetadataCannotBeMutated"),
    INVALID_INDEX_SPECIFICATION_OPTION(197, "InvalidIndexSpecificationOption"),
    NETWORK_INTERFACE_EXCEEDED_TIME_LIMIT(202, "NetworkInterfaceExceededTimeLimit"),
    NO_SUCH_SESSION(206, "NoSuchSession"),
    INVALID_UUID(207, "InvalidUUID"),
    ILLEGAL_OP_MSG_FLAG(223, "IllegalOpMsgFlag"),
    UNRECOGNIZED_COMMAND(224, "UnrecognizedCommand"),
    TRANSACTION_TOO_OLD(225, "TransactionTooOld"),
    CURSOR_KILLED(237, "CursorKilled"),
    NOT_IMPLEMENTED(238, "NotImplemented"),
    CONVERSION_FAILURE(241, "ConversionFailure"),
    NO_SUCH_TRANSACTION(251, "NoSuchTransaction"),
    TRANSACTION_COMMITTED(256, "TransactionCommitted"),
    TRANSACTION_TOO_LARGE(257, "TransactionTooLarge"),
    INVALID_RESUME_TOKEN(260, "InvalidResumeToken"),
    OPERATION_NOT_SUPPORTED_IN_TRANSACTION(263, "OperationNotSupportedInTransaction"),
    CHANGE_STREAM_FATAL_ERROR(280, "ChangeStreamFatalError"),
    CHANGE_STREAM_HISTORY_LOST(286, "ChangeStreamHistoryLost"),
    QUERY_EXCEEDED_MEMORY(292, "QueryExceededMemoryLimitNoDiskUseAllowed"),
    API_VERSION_ERROR(322, "APIVersionError"),
    API_STRICT_ERROR(323, "APIStrictError"),
    API_DEPRECATION_ERROR(324, "APIDeprecationError"),
    MECHANISM_UNAVAILABLE(334, "MechanismUnavailable"),
    UNSUPPORTED_OP_QUERY_COMMAND(352, "UnsupportedOpQueryCommand"),
    NOT_WRITABLE_PRIMARY(10107, "NotWritablePrimary"),
    BSON_OBJECT_TOO_LARGE(10334, "BSONObjectTooLarge"),
    DUPLICATE_KEY(11000, "DuplicateKey"),
    INTERRUPTED(11601, "Interrupted"),
    REQUEST_RATE_TOO_LARGE(16500, "RequestRateTooLarge"),
    SEARCH_NOT_ENABLED(31082, "SearchNotEnabled"),
    NOT_A_RETRYABLE_WRITE(50768, "NotARetryableWriteCommand");

    private final int number;
    private final String text;

    MongoCode(int number, String text) {
        this.number = number;
        this.text = text;
    }

    public int number() {
        return number;
    }

    /** Makes the failure of a request that means nothing, or does not fit the data. */
    public OrreryException failure(String message) {
        return failure(number, message);
    }

    public static OrreryException failure(int number, String message) {
        return new OrreryException(ErrorCode.BAD_REQUEST, message).withLanguageCode(number);
    }

    /** Returns the {@code codeName} of a number. */
    public static String nameOf(int number) {
        for (MongoCode code : values()) {
            if (code.number == number) {
                return code.text;
            }
        }
        return "Location" + number;
    }
}
