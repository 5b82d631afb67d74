package orrery.frontend.rest;

import java.lang.System.Logger;
import orrery.document.JsonText;
import orrery.document.Value;
import orrery.frontend.http.HttpReply;
import orrery.frontend.http.HttpRequest;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/** Replies of one JSON value, for APIs that are our own. */
public final class JsonReply {
    private JsonReply() {}

    public static HttpReply of(Value body) {
        return HttpReply.json(200, JsonText.writeBytes(body));
    }

    /** {@code {"code":"NOT_FOUND","message":"..."}}. */
    public static HttpReply failed(Logger log, HttpRequest request, RuntimeException cause) {
        OrreryException told = HeardFailure.of(log, request.method() + " " + request.path(), cause);
        return HttpReply.json(
                told.code().status(),
                JsonText.writeBytes(
                        Json.builder()
                                .put("code", told.code().name())
                                .put("message", told.text())
                                .build()));
    }

    public static OrreryException methodNotAllowed(HttpRequest request) {
        return new OrreryException(
                ErrorCode.METHOD_NOT_ALLOWED,
                request.method() + " is not possible at " + request.path() + ".");
    }
}
