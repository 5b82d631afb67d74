package orrery.frontend.http;

import orrery.model.Bytes;

/**
 * Gives the errors that the HTTP machinery itself finds (malformed, too large, too slow,
 * overloaded) the body that the front-end's clients expect. Called on event loops: it must not
 * block.
 */
@FunctionalInterface
public interface ErrorRenderer {
    /** A reply with this status whose body says {@code text} to a person. */
    HttpReply render(int status, String text);

    /** {@code {"code":"BadRequest","message":"..."}}. */
    static ErrorRenderer plainJson() {
        return (status, text) ->
                HttpReply.status(status)
                        .header("Content-Type", "application/json")
                        .body(
                                Bytes.ofUtf8(
                                        "{\"code\":\""
                                                + code(status)
                                                + "\",\"message\":\""
                                                + escape(text)
                                                + "\"}"))
                        .build();
    }

    /** The name of a status without spaces, as error bodies carry it: {@code BadRequest}. */
    static String code(int status) {
        return switch (status) {
            case 400 -> "BadRequest";
            case 403 -> "Forbidden";
            case 404 -> "NotFound";
            case 405 -> "MethodNotAllowed";
            case 408 -> "RequestTimeout";
            case 413 -> "RequestEntityTooLarge";
            case 417 -> "ExpectationFailed";
            case 421 -> "MisdirectedRequest";
            case 431 -> "RequestHeaderFieldsTooLarge";
            case 500 -> "InternalServerError";
            case 501 -> "NotImplemented";
            case 503 -> "ServiceUnavailable";
            case 505 -> "HttpVersionNotSupported";
            default -> Integer.toString(status);
        };
    }

    private static String escape(String text) {
        var escaped = new StringBuilder(text.length() + 8);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                escaped.append('\\').append(c);
            } else if (c < 0x20 || Character.isSurrogate(c)) {
                escaped.append("\\u").append(String.format("%04x", (int) c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }
}
