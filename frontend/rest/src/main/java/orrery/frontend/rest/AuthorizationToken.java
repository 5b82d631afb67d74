package orrery.frontend.rest;

import java.util.Base64;
import java.util.HexFormat;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/**
 * The authorization header, {@code type=master&ver=1.0&sig=…}, which clients send percent-encoded
 * or plain.
 *
 * @param text the whole header, decoded
 */
record AuthorizationToken(Type type, String text, Bytes signature) {
    enum Type {
        MASTER,
        RESOURCE,
        AAD
    }

    private static final String TYPE = "type=";
    private static final String VERSION = "&ver=";
    private static final String SIGNATURE = "&sig=";

    /** The JavaScript SDK sends this where none of its tokens is for the request. */
    private static final String NO_TOKEN = "undefined";

    static AuthorizationToken parse(String header) {
        if (header.equals(NO_TOKEN)) {
            throw new OrreryException(
                    ErrorCode.MALFORMED_AUTHORIZATION,
                    "The client has no token for this resource: it sent 'undefined'. Its"
                            + " resourceTokens or its permissionFeed must have one for the"
                            + " container, or for what the request is about.");
        }
        String text = header.indexOf('%') < 0 ? header : decode(header);
        int version = text.indexOf(VERSION);
        int signature = text.indexOf(SIGNATURE, Math.max(version, 0));
        if (!text.startsWith(TYPE) || version < 0 || signature < 0) {
            throw malformed();
        }
        String type = text.substring(TYPE.length(), version);
        String number = text.substring(version + VERSION.length(), signature);
        String rest = text.substring(signature + SIGNATURE.length());
        if (rest.isEmpty() || !(number.equals("1.0") || number.equals("1"))) {
            throw malformed();
        }
        return switch (type) {
            case "master" -> new AuthorizationToken(Type.MASTER, text, base64(rest));
            case "resource" -> new AuthorizationToken(Type.RESOURCE, text, Bytes.EMPTY);
            case "aad" -> new AuthorizationToken(Type.AAD, text, Bytes.EMPTY);
            default -> throw malformed();
        };
    }

    private static Bytes base64(String text) {
        try {
            return Bytes.wrap(Base64.getDecoder().decode(text));
        } catch (IllegalArgumentException notBase64) {
            throw malformed();
        }
    }

    /** Tokens are ASCII; a {@code +} is part of the signature, never a space. */
    private static String decode(String header) {
        StringBuilder text = new StringBuilder(header.length());
        for (int i = 0; i < header.length(); i++) {
            char c = header.charAt(i);
            if (c != '%') {
                text.append(c);
                continue;
            }
            if (i + 2 >= header.length()) {
                throw malformed();
            }
            char high = header.charAt(i + 1);
            char low = header.charAt(i + 2);
            if (!HexFormat.isHexDigit(high) || !HexFormat.isHexDigit(low)) {
                throw malformed();
            }
            text.append((char) (HexFormat.fromHexDigit(high) << 4 | HexFormat.fromHexDigit(low)));
            i += 2;
        }
        return text.toString();
    }

    private static OrreryException malformed() {
        return new OrreryException(
                ErrorCode.MALFORMED_AUTHORIZATION,
                "The input authorization token has the wrong format. It must be"
                        + " type=master&ver=1.0&sig=<signature> or a resource token,"
                        + " percent-encoded.");
    }
}
