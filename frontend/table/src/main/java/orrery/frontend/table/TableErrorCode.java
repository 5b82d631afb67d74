package orrery.frontend.table;

import orrery.document.edm.EntityLimits;

/** The refusals of the Table service: status, code, and the sentence that goes with it. */
public enum TableErrorCode {
    INVALID_INPUT(400, "InvalidInput", "An error occurred while processing this request."),
    PROPERTIES_NEED_VALUE(
            400,
            "PropertiesNeedValue",
            "The values are not specified for all properties in the entity."),
    PROPERTY_VALUE_TOO_LARGE(
            400,
            "PropertyValueTooLarge",
            "The property value exceeds the maximum allowed size (64KB). If the property value is a"
                    + " string, it is UTF-16 encoded and the maximum number of characters should be"
                    + " 32K or less."),
    PROPERTY_NAME_TOO_LONG(
            400,
            "PropertyNameTooLong",
            "The property name exceeds the maximum allowed length (255)."),
    PROPERTY_NAME_INVALID(400, "PropertyNameInvalid", "The property name is invalid."),
    ENTITY_TOO_LARGE(
            400, "EntityTooLarge", "The entity is larger than the maximum allowed size (1MB)."),
    KEY_VALUE_TOO_LARGE(
            400,
            "KeyValueTooLarge",
            "The partition key or row key value exceeds the maximum allowed size (1024"
                    + " characters)."),
    TOO_MANY_PROPERTIES(400, "TooManyProperties", EntityLimits.TOO_MANY_PROPERTIES),
    OUT_OF_RANGE_INPUT(400, "OutOfRangeInput", "One of the request inputs is out of range."),
    INVALID_VALUE_TYPE(
            400,
            "InvalidValueType",
            "The value of a property does not have the type that is specified for it."),
    DUPLICATE_PROPERTIES(
            400, "DuplicatePropertiesSpecified", "A property is specified more than one time."),
    INVALID_RESOURCE_NAME(
            400, "InvalidResourceName", "The specified resource name contains invalid characters."),
    INVALID_HEADER_VALUE(
            400,
            "InvalidHeaderValue",
            "The value for one of the HTTP headers is not in the correct format."),
    UNSUPPORTED_HEADER(
            400,
            "UnsupportedHeader",
            "One of the HTTP headers specified in the request is not supported."),
    MISSING_REQUIRED_HEADER(
            400,
            "MissingRequiredHeader",
            "An HTTP header that's mandatory for this request is not specified."),
    INVALID_QUERY_PARAMETER(
            400,
            "InvalidQueryParameterValue",
            "Value for one of the query parameters specified in the request URI is invalid."),
    INVALID_URI(400, "InvalidUri", "The requested URI does not represent any resource."),
    INVALID_XML(400, "InvalidXmlDocument", "XML specified is not syntactically valid."),
    INVALID_DUPLICATE_ROW(400, "InvalidDuplicateRow", "An entity can appear only once in a batch."),
    DIFFERENT_PARTITIONS(
            400,
            "CommandsInBatchActOnDifferentPartitions",
            "All commands in a batch must operate on same entity group."),
    X_METHOD_NOT_USING_POST(
            400,
            "XMethodNotUsingPost",
            "The request uses X-HTTP-Method with another verb than POST."),
    X_METHOD_INCORRECT_VALUE(
            400, "XMethodIncorrectValue", "The specified X-HTTP-Method is invalid."),
    X_METHOD_INCORRECT_COUNT(
            400, "XMethodIncorrectCount", "More than one X-HTTP-Method is specified."),
    INVALID_AUTHENTICATION_INFO(
            400,
            "InvalidAuthenticationInfo",
            "Authentication information is not given in the correct format. Check the value of"
                    + " Authorization header."),
    AUTHENTICATION_FAILED(
            403,
            "AuthenticationFailed",
            "Server failed to authenticate the request. Make sure the value of Authorization header"
                    + " is formed correctly including the signature."),
    AUTHORIZATION_FAILURE(
            403,
            "AuthorizationFailure",
            "This request is not authorized to perform this operation."),
    AUTHORIZATION_PERMISSION_MISMATCH(
            403,
            "AuthorizationPermissionMismatch",
            "This request is not authorized to perform this operation using this permission."),
    AUTHORIZATION_RESOURCE_TYPE_MISMATCH(
            403,
            "AuthorizationResourceTypeMismatch",
            "This request is not authorized to perform this operation using this resource type."),
    AUTHORIZATION_PROTOCOL_MISMATCH(
            403,
            "AuthorizationProtocolMismatch",
            "This request is not authorized to perform this operation using this protocol."),
    AUTHORIZATION_SOURCE_IP_MISMATCH(
            403,
            "AuthorizationSourceIPMismatch",
            "This request is not authorized to perform this operation using this source IP."),
    AUTHORIZATION_SERVICE_MISMATCH(
            403,
            "AuthorizationServiceMismatch",
            "This request is not authorized to perform this operation using this service."),
    CORS_PREFLIGHT_FAILURE(
            403,
            "CorsPreflightFailure",
            "CORS not enabled or no matching rule found for this request."),
    LIMIT_REACHED(403, "Forbidden", "The account or the partition has reached one of its limits."),
    TABLE_NOT_FOUND(404, "TableNotFound", "The table specified does not exist."),
    RESOURCE_NOT_FOUND(404, "ResourceNotFound", "The specified resource does not exist."),
    METHOD_NOT_ALLOWED(
            405,
            "MethodNotAllowed",
            "The requested method is not allowed on the specified resource."),
    TABLE_ALREADY_EXISTS(409, "TableAlreadyExists", "The table specified already exists."),
    ENTITY_ALREADY_EXISTS(409, "EntityAlreadyExists", "The specified entity already exists."),
    TABLE_BEING_DELETED(409, "TableBeingDeleted", "The specified table is being deleted."),
    UPDATE_CONDITION_NOT_SATISFIED(
            412,
            "UpdateConditionNotSatisfied",
            "The update condition specified in the request was not satisfied."),
    REQUEST_BODY_TOO_LARGE(
            413,
            "RequestBodyTooLarge",
            "The request body is too large and exceeds the maximum permissible limit."),
    ATOM_NOT_SUPPORTED(
            415,
            "AtomFormatNotSupported",
            "Atom format is not supported. Ask for application/json in Accept."),
    MEDIA_TYPE_NOT_SUPPORTED(415, "MediaTypeNotSupported", "Unsupported media type requested."),
    TOO_MANY_REQUESTS(429, "TooManyRequests", "Too Many Requests"),
    INTERNAL_ERROR(
            500,
            "InternalError",
            "The server encountered an internal error. Please retry the request."),
    NOT_IMPLEMENTED(
            501,
            "NotImplemented",
            "The requested operation is not implemented on the specified resource."),
    SERVER_BUSY(
            503,
            "ServerBusy",
            "The server is currently unable to receive requests. Please retry your request."),
    OPERATION_TIMED_OUT(
            500,
            "OperationTimedOut",
            "The operation could not be completed within the specified time.");

    private final int status;
    private final String text;
    private final String sentence;

    TableErrorCode(int status, String text, String sentence) {
        this.status = status;
        this.text = text;
        this.sentence = sentence;
    }

    public int status() {
        return status;
    }

    /** The code that clients compare. */
    public String text() {
        return text;
    }

    /** The words of the service, which clients may compare too. */
    public String sentence() {
        return sentence;
    }
}
