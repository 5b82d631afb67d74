package orrery.frontend.table;

import java.util.UUID;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpRequest;
import orrery.frontend.rest.ChargeText;
import orrery.model.Bytes;
import orrery.model.metering.Charge;

/** Collects a reply; every one carries the ids of the request, its charge and our version. */
final class TableReply {
    /** Told to clients that name no version. */
    private static final String VERSION = "2019-02-02";

    private static final int MAX_CLIENT_ID = 1024;

    private final HttpReply.Builder reply;
    private Charge charge = Charge.NONE;

    TableReply(HttpRequest http, UUID id, int status) {
        this.reply = HttpReply.status(status);
        reply.header("x-ms-request-id", id.toString())
                .header(
                        "x-ms-version",
                        http.header("x-ms-version").filter(TableReply::isVersion).orElse(VERSION));
        http.header("x-ms-client-request-id")
                .filter(TableReply::isEchoed)
                .ifPresent(text -> reply.header("x-ms-client-request-id", text));
        reply.header("Cache-Control", "no-cache").header("X-Content-Type-Options", "nosniff");
    }

    TableReply(TableRequest request, int status) {
        this(request.http(), request.id(), status);
    }

    /** Returns true for a date, which all versions of the API are; it need not be one we know. */
    static boolean isVersion(String text) {
        return text.length() == 10
                && text.chars().allMatch(c -> c == '-' || (c >= '0' && c <= '9'));
    }

    /** Returns true for an id that may be repeated: the service takes visible ASCII only. */
    private static boolean isEchoed(String text) {
        return text.length() <= MAX_CLIENT_ID && text.chars().allMatch(c -> c > ' ' && c < 0x7F);
    }

    TableReply header(String name, String value) {
        reply.header(name, value);
        return this;
    }

    TableReply charge(Charge cost) {
        charge = cost;
        return this;
    }

    TableReply json(MetadataLevel level, Bytes body) {
        return body(level.contentType(), body);
    }

    TableReply body(String contentType, Bytes body) {
        reply.header("Content-Type", contentType).body(body);
        return this;
    }

    HttpReply build() {
        return reply.header("x-ms-request-charge", ChargeText.of(charge)).build();
    }
}
