package orrery.model;

/**
 * Every failure a client can see, with the HTTP status and substatus that the SDKs know it by. Each
 * front-end renders these in its own protocol with one exhaustive switch.
 */
public enum ErrorCode {
    BAD_REQUEST(400, 0),
    /** The container does not keep the versions that a reader wants. */
    VERSIONS_NOT_KEPT(400, 0),
    /** It keeps versions, but those that a reader goes on behind are gone already. */
    VERSIONS_LOST(400, 0),
    /** A reader of a stream goes on at a place that the stream has not. */
    PLACE_UNKNOWN(400, 0),
    /** A script threw, and nobody in it caught. */
    SCRIPT_FAILED(400, 400),
    PARTITION_KEY_MISMATCH(400, 1001),
    CROSS_PARTITION_QUERY_NOT_SERVABLE(400, 1004),
    WRONG_CONTAINER_RID(400, 1024),
    SHARED_CONTAINER_LIMIT(400, 1019),
    OFFER_REPLACE_IN_PROGRESS(400, 3205),
    NON_FINITE_RESULT(400, 4001),
    /** A script that is not JavaScript, or not a function. */
    SCRIPT_NOT_COMPILED(400, 0xFFFF),
    UNAUTHORIZED(401, 0),
    MISSING_AUTHORIZATION(401, 5000),
    MALFORMED_AUTHORIZATION(401, 5001),
    FORBIDDEN(403, 0),
    /** A shared access signature lacks the right for this. */
    RIGHT_MISSING(403, 0),
    /** A shared access signature does not open resources of this kind. */
    RESOURCE_TYPE_MISSING(403, 0),
    WRITE_FORBIDDEN(403, 3),
    PROVISION_LIMIT_REACHED(403, 1005),
    LOGICAL_PARTITION_FULL(403, 1014),
    /** A container that never splits; no substatus of the SDKs stands for it. */
    FIXED_CONTAINER_FULL(403, 0),
    NOT_FOUND(404, 0),
    READ_SESSION_NOT_AVAILABLE(404, 1002),
    OWNER_NOT_FOUND(404, 1003),
    CONTAINER_CREATE_IN_PROGRESS(404, 1013),
    METHOD_NOT_ALLOWED(405, 0),
    TIMEOUT(408, 0),
    CONFLICT(409, 0),
    DATABASE_EXISTS(409, 3206),
    /** Another item of the logical partition has the values of a unique key. */
    UNIQUE_KEY_VIOLATION(409, 0),
    /** Items of a key were written since a transaction read them. */
    KEY_CHANGED(409, 0),
    /** A newer transaction of the session has written under the key. */
    TRANSACTION_TOO_OLD(409, 0),
    /** An operation of a transaction reaches beyond the logical partition of its first. */
    OUTSIDE_TRANSACTION(400, 0),
    /** A transaction has more writes than one entry of the log should carry. */
    TRANSACTION_TOO_LARGE(413, 0),
    /** The statement of a session was carried out before, among others or with another answer. */
    STATEMENT_DONE(409, 0),
    NAME_CACHE_STALE(410, 1000),
    RANGE_GONE(410, 1002),
    COMPLETING_SPLIT(410, 1007),
    PRECONDITION_FAILED(412, 0),
    TOO_LARGE(413, 0),
    /** The answer to a batch would be; clients ask again with fewer operations. */
    BATCH_RESPONSE_TOO_LARGE(413, 3402),
    /** An operation of a batch that was not carried out because of another one. */
    FAILED_DEPENDENCY(424, 0),
    TOO_MANY_REQUESTS(429, 3200),
    /** The requests of one bucket have used its part of the throughput. */
    BUCKET_USED_UP(429, 3212),
    /** The buckets of a container were changed a short time ago. */
    BUCKETS_JUST_CHANGED(429, 3213),
    /** More scripts at once than the node runs. */
    TOO_MANY_SCRIPTS(429, 3084),
    HEADERS_TOO_LARGE(431, 0),
    RETRY_WITH(449, 0),
    INTERNAL(500, 0),
    NOT_IMPLEMENTED(501, 0),
    UNAVAILABLE(503, 0);

    private final int status;
    private final int substatus;

    ErrorCode(int status, int substatus) {
        this.status = status;
        this.substatus = substatus;
    }

    /**
     * Returns the code of this name. A later release, or a newer peer, may have written one that is
     * not known here; it reads as {@link #INTERNAL}, beside its own text.
     */
    public static ErrorCode named(String name) {
        for (ErrorCode code : values()) {
            if (code.name().equals(name)) {
                return code;
            }
        }
        return INTERNAL;
    }

    /** Returns true for a refusal that is about the rate of requests and not about this one. */
    public boolean isOfRate() {
        return this == TOO_MANY_REQUESTS || this == BUCKET_USED_UP;
    }

    public int status() {
        return status;
    }

    public int substatus() {
        return substatus;
    }
}
