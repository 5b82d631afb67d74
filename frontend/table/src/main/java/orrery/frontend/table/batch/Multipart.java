package orrery.frontend.table.batch;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/** Cuts a body of type {@code multipart/mixed} into its parts. */
final class Multipart {
    /** The bound of RFC 2046. */
    private static final int MAX_BOUNDARY = 70;

    private Multipart() {}

    /**
     * A stretch of the bytes of a request.
     *
     * @param end the place behind it; the line break before the next delimiter is not part of it
     */
    record Stretch(Bytes bytes, int start, int end) {
        Lines lines() {
            return new Lines(bytes.unsafeArray(), start, end);
        }
    }

    /**
     * Returns the boundary that a Content-Type names; empty if the type is not multipart. Other
     * parameters may stand beside it.
     */
    static Optional<String> boundary(String contentType) {
        int semicolon = contentType.indexOf(';');
        String type = semicolon < 0 ? contentType : contentType.substring(0, semicolon);
        if (!type.strip().toLowerCase(Locale.ROOT).equals("multipart/mixed")) {
            return Optional.empty();
        }
        int at = semicolon;
        while (at >= 0 && at < contentType.length()) {
            int equals = contentType.indexOf('=', at);
            if (equals < 0) {
                break;
            }
            String name = contentType.substring(at + 1, equals).strip();
            int start = equals + 1;
            while (start < contentType.length() && contentType.charAt(start) == ' ') {
                start++;
            }
            boolean isQuoted = start < contentType.length() && contentType.charAt(start) == '"';
            int end = contentType.indexOf(isQuoted ? '"' : ';', isQuoted ? start + 1 : start);
            if (isQuoted && end < 0) {
                break;
            }
            String value =
                    isQuoted
                            ? contentType.substring(start + 1, end)
                            : contentType
                                    .substring(start, end < 0 ? contentType.length() : end)
                                    .strip();
            if (name.equalsIgnoreCase("boundary")) {
                return Optional.of(checked(value));
            }
            at = end < 0 ? -1 : contentType.indexOf(';', end);
        }
        throw malformed("The Content-Type " + type.strip() + " names no boundary.");
    }

    private static String checked(String boundary) {
        if (boundary.isBlank() || boundary.length() > MAX_BOUNDARY) {
            throw malformed(
                    "A boundary has 1 to "
                            + MAX_BOUNDARY
                            + " characters and this one has "
                            + boundary.length()
                            + ".");
        }
        return boundary;
    }

    /**
     * Cuts a stretch at the lines that begin with the boundary. A stretch without its last
     * delimiter was cut off on its way, so it is refused.
     *
     * @param isBare only blank lines may stand before the first delimiter and behind the last. MIME
     *     lets anything stand there, but among changes it is one whose delimiter was damaged.
     * @param most after this many parts the rest is left alone
     */
    static List<Stretch> parts(Stretch whole, String boundary, boolean isBare, int most) {
        byte[] delimiter = ("--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
        List<Stretch> parts = new ArrayList<>();
        Lines lines = whole.lines();
        int start = -1;
        while (lines.next()) {
            // A longer boundary may begin alike.
            String tail =
                    lines.startsWith(delimiter)
                            ? lines.latin1(delimiter.length).strip()
                            : "no delimiter";
            boolean isLast = tail.equals("--");
            if (!isLast && !tail.isEmpty()) {
                if (isBare && start < 0 && !lines.isBlank()) {
                    throw stray(lines);
                }
                continue;
            }
            if (start >= 0) {
                parts.add(new Stretch(whole.bytes(), start, lines.lineStart()));
            }
            if (isLast && isBare && lines.nextNotBlank()) {
                throw stray(lines);
            }
            if (isLast || parts.size() >= most) {
                return parts;
            }
            start = lines.following();
        }
        throw malformed("The batch has no line --" + boundary + "-- at its end.");
    }

    private static OrreryException stray(Lines lines) {
        return malformed("This belongs to no operation of the change set: " + lines.shown());
    }

    static OrreryException malformed(String text) {
        return new OrreryException(ErrorCode.BAD_REQUEST, text);
    }
}
