package orrery.frontend.sql;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpRequest;
import orrery.frontend.rest.ChargeText;
import orrery.model.Bytes;
import orrery.model.Etag;
import orrery.model.ResourceId;
import orrery.model.SessionToken;
import orrery.model.metering.Charge;
import orrery.model.metering.RequestCharge;

/** Collects a reply; every one carries the activity id, the charge and our versions. */
final class SqlReply {
    private static final String SCHEMA_VERSION = "1.18";
    private static final String SERVICE_VERSION = "version=2.14.0.0";
    private static final String GATEWAY_VERSION = "version=2.14.0";

    private final SqlRequest request;
    private final HttpReply.Builder reply;
    private Charge charge = Charge.NONE;
    private Bytes body = Bytes.EMPTY;
    private String contentType = "application/json";

    SqlReply(SqlRequest request, int status) {
        this.request = request;
        this.reply = HttpReply.status(status);
    }

    /** The client has this version already. */
    static HttpReply notModified(SqlRequest request, Etag etag) {
        return new SqlReply(request, 304).charge(RequestCharge.METADATA).etag(etag).build();
    }

    SqlReply header(String name, String value) {
        reply.header(name, value);
        return this;
    }

    SqlReply charge(Charge cost) {
        charge = cost;
        return this;
    }

    SqlReply etag(Etag etag) {
        return header(SqlHeaders.ETAG, etag.quoted());
    }

    /** Adds the token, unless no partition was asked: clients cannot read an empty one. */
    SqlReply sessionToken(SessionToken token) {
        if (token.lsnByRange().isEmpty()) {
            return this;
        }
        return header(
                SqlHeaders.SESSION_TOKEN,
                request.knowsVectorTokens() ? token.format() : token.formatLegacy());
    }

    /**
     * Names the parent of the resource: its rid, and its path by names. Clients keep session tokens
     * under both.
     */
    SqlReply owner(ResourceId rid, String path) {
        return header(SqlHeaders.CONTENT_PATH, rid.toString()).ownerPath(path);
    }

    /** The service names the owner by its path alone if nothing was found or done. */
    SqlReply ownerPath(String path) {
        return header(SqlHeaders.ALT_CONTENT_PATH, escaped(path));
    }

    /** The address that the client called. Left out where it did not say which host it meant. */
    SqlReply location() {
        HttpRequest http = request.http();
        return http.authority().isEmpty()
                ? this
                : header(
                        SqlHeaders.CONTENT_LOCATION,
                        http.scheme() + "://" + http.authority() + http.path());
    }

    /**
     * The Java SDK decodes the path as a URL, the JavaScript SDK takes it as it is: so only what
     * decoding would change, or what does not fit into a header, is escaped.
     */
    private static String escaped(String path) {
        if (path.chars().allMatch(c -> c > ' ' && c < 0x7F && c != '%' && c != '+')) {
            return path;
        }
        StringBuilder text = new StringBuilder(path.length() + 16);
        for (byte b : path.getBytes(StandardCharsets.UTF_8)) {
            boolean isPlain = b > ' ' && b < 0x7F && b != '%' && b != '+';
            if (isPlain) {
                text.append((char) b);
            } else {
                text.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
            }
        }
        return text.toString();
    }

    SqlReply continuation(Optional<String> continuation) {
        continuation.ifPresent(token -> header(SqlHeaders.CONTINUATION, token));
        return this;
    }

    SqlReply body(Bytes json) {
        body = json;
        return this;
    }

    SqlReply binary(Bytes bytes) {
        body = bytes;
        contentType = "application/octet-stream";
        return this;
    }

    SqlReply body(Value json) {
        return body(JsonText.writeBytes(json));
    }

    HttpReply build() {
        reply.header(SqlHeaders.ACTIVITY_ID, request.activityId().toString())
                .header(SqlHeaders.REQUEST_CHARGE, ChargeText.of(charge))
                .header(SqlHeaders.SCHEMA_VERSION, SCHEMA_VERSION)
                .header(SqlHeaders.SERVICE_VERSION, SERVICE_VERSION)
                .header(SqlHeaders.GATEWAY_VERSION, GATEWAY_VERSION);
        if (charge.usesMinute()) {
            // Clients read it as a number, and its absence as a no.
            reply.header(SqlHeaders.RU_PER_MINUTE_USED, "1");
        }
        if (request.flag(SqlHeaders.CHARGE_DETAIL)) {
            reply.header(SqlHeaders.CHARGE_DETAIL, ReceiptJson.write(charge));
        }
        if (!body.isEmpty()) {
            reply.header(SqlHeaders.CONTENT_TYPE, contentType).body(body);
        }
        return reply.build();
    }
}
