package orrery.frontend.gremlin.wire;

import java.util.Map;

/**
 * The status of an answer.
 *
 * @param code of TinkerPop's protocol
 * @param attributes what the service adds: numbers and texts
 */
public record Status(int code, String message, Map<String, Object> attributes) {
    public static final int SUCCESS = 200;
    public static final int NO_CONTENT = 204;
    public static final int PARTIAL_CONTENT = 206;
    public static final int UNAUTHORIZED = 401;
    public static final int FORBIDDEN = 403;
    public static final int AUTHENTICATE = 407;
    public static final int MALFORMED_REQUEST = 498;
    public static final int INVALID_ARGUMENTS = 499;
    public static final int SERVER_ERROR = 500;
    public static final int SCRIPT_EVALUATION = 597;
    public static final int TIMEOUT = 598;
    public static final int SERIALIZATION = 599;

    public static Status of(int code) {
        return new Status(code, "", Map.of());
    }
}
