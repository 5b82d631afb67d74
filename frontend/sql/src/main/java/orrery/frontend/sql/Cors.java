package orrery.frontend.sql;

import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpRequest;

/** Lets pages in a browser use the API. Every request is signed, so any page may try. */
final class Cors {
    private Cors() {}

    /** Answers what a browser asks before it sends a request from another origin. */
    static HttpReply preflight(HttpRequest request) {
        HttpReply.Builder reply = HttpReply.status(200);
        allow(reply);
        reply.header("Access-Control-Allow-Methods", "GET, POST, PUT, PATCH, DELETE, OPTIONS");
        reply.header(
                "Access-Control-Allow-Headers",
                request.header("Access-Control-Request-Headers")
                        .filter(Cors::isPlain)
                        .orElse("authorization, content-type, x-ms-date, x-ms-version"));
        reply.header("Access-Control-Max-Age", "3600");
        return reply.build();
    }

    static void allow(HttpReply.Builder reply) {
        reply.header("Access-Control-Allow-Origin", "*");
        reply.header("Access-Control-Expose-Headers", EXPOSED);
    }

    /** Named one by one: a wildcard does not count for requests with credentials. */
    private static final String EXPOSED =
            String.join(
                    ",",
                    SqlHeaders.ETAG,
                    SqlHeaders.ACTIVITY_ID,
                    SqlHeaders.REQUEST_CHARGE,
                    SqlHeaders.CHARGE_DETAIL,
                    SqlHeaders.SESSION_TOKEN,
                    SqlHeaders.CONTINUATION,
                    SqlHeaders.ITEM_COUNT,
                    SqlHeaders.SUBSTATUS,
                    SqlHeaders.RETRY_AFTER_MS,
                    SqlHeaders.CONTENT_PATH,
                    SqlHeaders.ALT_CONTENT_PATH,
                    SqlHeaders.RANGE_ID,
                    SqlHeaders.MIN_THROUGHPUT,
                    SqlHeaders.OFFER_REPLACE_PENDING,
                    SqlHeaders.RESOURCE_QUOTA,
                    SqlHeaders.RESOURCE_USAGE,
                    SqlHeaders.INDEX_PROGRESS,
                    SqlHeaders.SCHEMA_VERSION,
                    SqlHeaders.SERVICE_VERSION,
                    SqlHeaders.GATEWAY_VERSION,
                    SqlHeaders.LSN);

    private static boolean isPlain(String headers) {
        return headers.chars().allMatch(c -> c >= 0x20 && c < 0x7F);
    }
}
