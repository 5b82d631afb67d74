package orrery.frontend.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;

/**
 * A request line and headers that have passed every check that needs no body.
 *
 * @param authority empty when the client named none
 * @param contentLength -1 for a chunked body
 */
record RequestHead(
        String method,
        String path,
        String query,
        String authority,
        Headers headers,
        long contentLength,
        boolean isKeptAlive,
        boolean isHttp10,
        boolean expectsContinue) {

    /** A head that is refused, with the status and the sentence for the client. */
    static final class Refused extends Exception {
        final int status;

        Refused(int status, String text) {
            super(text, null, false, false);
            this.status = status;
        }

        /** Always there, unlike {@link #getMessage}. */
        String text() {
            return String.valueOf(getMessage());
        }
    }

    static RequestHead of(io.netty.handler.codec.http.HttpRequest decoded, int maxHeadBytes)
            throws Refused {
        if (decoded.decoderResult().isFailure()) {
            throw refusal(decoded.decoderResult().cause(), maxHeadBytes);
        }
        boolean isHttp10 = decoded.protocolVersion().equals(HttpVersion.HTTP_1_0);
        if (!isHttp10 && !decoded.protocolVersion().equals(HttpVersion.HTTP_1_1)) {
            throw new Refused(505, "This server speaks HTTP/1.1 and HTTP/1.0.");
        }
        Headers headers = copy(decoded);
        String target = decoded.uri();
        checkTarget(target);
        String authority = authority(headers, isHttp10);

        // The absolute form names the authority itself; it goes before the Host header.
        if (target.charAt(0) != '/' && !target.equals("*")) {
            int start = schemeLength(target);
            int end = start;
            while (end < target.length()
                    && target.charAt(end) != '/'
                    && target.charAt(end) != '?') {
                end++;
            }
            authority = target.substring(start, end);
            checkAuthority(authority);
            target = target.substring(end);
            if (!target.startsWith("/")) {
                target = "/" + target;
            }
        }

        String method = decoded.method().name();
        if (target.equals("*") && !method.equals("OPTIONS")) {
            throw new Refused(400, "The request target * is for OPTIONS only.");
        }
        int mark = target.indexOf('?');
        return new RequestHead(
                method,
                mark < 0 ? target : target.substring(0, mark),
                mark < 0 ? "" : target.substring(mark + 1),
                authority,
                headers,
                contentLength(headers),
                HttpUtil.isKeepAlive(decoded),
                isHttp10,
                expectsContinue(headers, isHttp10));
    }

    private static Refused refusal(Throwable cause, int maxHeadBytes) {
        if (cause instanceof TooLongHttpHeaderException
                || cause instanceof TooLongHttpLineException) {
            return new Refused(
                    431,
                    "The request line and headers are larger than " + maxHeadBytes + " bytes.");
        }
        return new Refused(400, "The request is not valid HTTP.");
    }

    private static Headers copy(io.netty.handler.codec.http.HttpRequest decoded) {
        var headers = Headers.builder();
        var fields = decoded.headers().iteratorCharSequence();
        while (fields.hasNext()) {
            var field = fields.next();
            headers.addUnchecked(field.getKey(), field.getValue());
        }
        return headers.build();
    }

    private static void checkTarget(String target) throws Refused {
        if (target.isEmpty()) {
            throw new Refused(400, "The request has no target.");
        }
        for (int i = 0; i < target.length(); i++) {
            char c = target.charAt(i);
            if (c <= 0x20 || c >= 0x7f) {
                throw new Refused(
                        400, "The request target has a character that must be percent-encoded.");
            }
        }
        if (target.charAt(0) != '/' && !target.equals("*") && schemeLength(target) < 0) {
            throw new Refused(400, "The request target must begin with a slash.");
        }
    }

    private static int schemeLength(String target) {
        if (target.regionMatches(true, 0, "http://", 0, 7)) {
            return 7;
        }
        return target.regionMatches(true, 0, "https://", 0, 8) ? 8 : -1;
    }

    private static String authority(Headers headers, boolean isHttp10) throws Refused {
        String authority = null;
        for (int i = 0; i < headers.size(); i++) {
            if (HttpHeaderNames.HOST.contentEqualsIgnoreCase(headers.name(i))) {
                if (authority != null) {
                    throw new Refused(400, "The request has more than one Host header.");
                }
                authority = headers.value(i).toString();
            }
        }
        if (authority == null) {
            if (!isHttp10) {
                throw new Refused(400, "The request has no Host header.");
            }
            return "";
        }
        checkAuthority(authority);
        return authority;
    }

    /** It goes into the endpoints that clients are told to use, so it must be one. */
    private static void checkAuthority(String authority) throws Refused {
        for (int i = 0; i < authority.length(); i++) {
            char c = authority.charAt(i);
            if (!((c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || "-._~:[]%".indexOf(c) >= 0)) {
                throw new Refused(400, "The Host of the request is not a host and a port.");
            }
        }
    }

    private static long contentLength(Headers headers) throws Refused {
        String encoding = headers.get(HttpHeaderNames.TRANSFER_ENCODING);
        if (encoding != null) {
            if (!HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(encoding)
                    || headers.all(HttpHeaderNames.TRANSFER_ENCODING).size() > 1) {
                throw new Refused(501, "The only transfer encoding this server takes is chunked.");
            }
            return -1;
        }
        String length = headers.get(HttpHeaderNames.CONTENT_LENGTH);
        if (length == null) {
            return 0;
        }
        return Decimal.parse(length)
                .orElseThrow(
                        () ->
                                new Refused(
                                        400,
                                        "The Content-Length of the request is no number, or too large."));
    }

    private static boolean expectsContinue(Headers headers, boolean isHttp10) throws Refused {
        String expectation = headers.get(HttpHeaderNames.EXPECT);
        if (expectation == null || isHttp10) {
            return false;
        }
        if (!HttpHeaderValues.CONTINUE.contentEqualsIgnoreCase(expectation)) {
            throw new Refused(417, "The only expectation this server meets is 100-continue.");
        }
        return true;
    }
}
