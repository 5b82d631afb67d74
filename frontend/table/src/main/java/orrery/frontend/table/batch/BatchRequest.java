package orrery.frontend.table.batch;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import orrery.frontend.http.Headers;
import orrery.frontend.http.HttpRequest;
import orrery.frontend.table.batch.Multipart.Stretch;
import orrery.model.Bytes;
import orrery.model.OrreryException;

/**
 * The requests inside of a {@code POST} to {@code $batch}. Clients write them in many ways, with
 * headers in lower case, blank lines where none belong, bare LF and URLs of another host. All of
 * these are read; what is cut off or beyond a limit is refused as a whole.
 *
 * @param isChangeSet false for a request that stands in the batch by itself, as queries do
 */
public record BatchRequest(List<Part> parts, boolean isChangeSet) {
    /** Operations of a change set. */
    public static final int MAX_PARTS = 100;

    public static final int MAX_BODY_BYTES = 4 << 20;

    /** The request line and the headers of a part; the two longest keys need some 15 KB of it. */
    static final int MAX_HEAD_BYTES = 32 << 10;

    private static final int MAX_HEADERS = 64;

    /**
     * @param request as if it had come alone over the connection of the batch, with the host that
     *     the batch was sent to
     * @param contentId the name that the client has given it, which the answer repeats
     */
    public record Part(HttpRequest request, Optional<String> contentId) {}

    public BatchRequest {
        parts = List.copyOf(parts);
    }

    /**
     * Returns true if there are more than a change set may have. Then only the first of them were
     * read.
     */
    public boolean isTooLong() {
        return parts.size() > MAX_PARTS;
    }

    /**
     * Reads the requests of a batch.
     *
     * @throws OrreryException BAD_REQUEST for what is no batch
     */
    public static BatchRequest read(HttpRequest batch) {
        Bytes bytes = batch.body();
        String boundary =
                batch.header("Content-Type")
                        .flatMap(Multipart::boundary)
                        .orElseThrow(
                                () ->
                                        Multipart.malformed(
                                                "A batch has the Content-Type multipart/mixed."));
        List<Stretch> outer =
                Multipart.parts(new Stretch(bytes, 0, bytes.length()), boundary, false, 2);
        if (outer.size() != 1) {
            throw Multipart.malformed(
                    "A batch has one change set, or one query and nothing else. This one has "
                            + (outer.isEmpty() ? "neither." : "several."));
        }
        return inside(batch, outer.getFirst());
    }

    private static BatchRequest inside(HttpRequest batch, Stretch only) {
        Lines lines = only.lines();
        Headers mime = headers(only, lines, lines.nextNotBlank());
        Optional<String> inner = mime.find("Content-Type").flatMap(Multipart::boundary);
        if (inner.isEmpty()) {
            return new BatchRequest(List.of(part(batch, only)), false);
        }
        Stretch content = new Stretch(only.bytes(), lines.following(), only.end());
        List<Part> parts = new ArrayList<>();
        for (Stretch stretch : Multipart.parts(content, inner.get(), true, MAX_PARTS + 1)) {
            parts.add(part(batch, stretch));
        }
        if (parts.isEmpty()) {
            throw Multipart.malformed("The change set has no operations. Send at least one.");
        }
        return new BatchRequest(parts, true);
    }

    /** A part is its own headers, a request line, the headers of the request and its body. */
    private static Part part(HttpRequest batch, Stretch stretch) {
        Lines lines = stretch.lines();
        Headers mime = headers(stretch, lines, lines.nextNotBlank());
        String type = mime.find("Content-Type").orElse("");
        if (!type.toLowerCase(Locale.ROOT).startsWith("application/http")) {
            throw Multipart.malformed(
                    "The parts of a batch have the Content-Type application/http.");
        }
        if (!lines.nextNotBlank()) {
            throw Multipart.malformed("A part of the batch has no request.");
        }
        checkHead(stretch, lines);
        String[] line = requestLine(lines);
        Headers headers = headers(stretch, lines, lines.next());
        int mark = line[1].indexOf('?');
        return new Part(
                new HttpRequest(
                        line[0],
                        mark < 0 ? line[1] : line[1].substring(0, mark),
                        mark < 0 ? "" : line[1].substring(mark + 1),
                        headers,
                        lines.rest(),
                        batch.scheme(),
                        batch.authority(),
                        batch.local(),
                        batch.remote()),
                headers.find("Content-ID").or(() -> mime.find("Content-ID")));
    }

    private static void checkHead(Stretch stretch, Lines lines) {
        if (lines.following() - stretch.start() > MAX_HEAD_BYTES) {
            throw Multipart.malformed(
                    "The request line and headers of a part are larger than "
                            + MAX_HEAD_BYTES
                            + " bytes.");
        }
    }

    /** Returns the method and the path with its query. */
    private static String[] requestLine(Lines lines) {
        String line = text(lines.latin1(0)).strip();
        int first = line.indexOf(' ');
        int last = line.lastIndexOf(' ');
        if (first <= 0 || last <= first || !line.startsWith("HTTP/", last + 1)) {
            throw Multipart.malformed(
                    "A part of the batch begins with a request line, and not with: "
                            + lines.shown());
        }
        String path = path(line.substring(first, last).strip());
        if (path.isEmpty() || path.chars().anyMatch(c -> c < 0x20 || c == 0x7F)) {
            throw Multipart.malformed("The URL of a part is not valid: " + lines.shown());
        }
        return new String[] {line.substring(0, first), path};
    }

    /** A proxy may have another host than the one that clients write, so only the path counts. */
    private static String path(String target) {
        if (target.startsWith("/")) {
            return target;
        }
        int scheme = target.indexOf("://");
        int slash = scheme < 0 ? -1 : target.indexOf('/', scheme + 3);
        return slash < 0 ? "" : target.substring(slash);
    }

    /**
     * Reads headers up to a blank line, or to the end: before a delimiter the line break of the
     * last header may be all there is.
     *
     * @param hasLine whether the first of them has been gone to
     */
    private static Headers headers(Stretch stretch, Lines lines, boolean hasLine) {
        Headers.Builder headers = Headers.builder();
        int count = 0;
        for (boolean has = hasLine; has && !lines.isBlank(); has = lines.next()) {
            checkHead(stretch, lines);
            if (++count > MAX_HEADERS) {
                throw Multipart.malformed(
                        "A part of the batch has more than " + MAX_HEADERS + " headers.");
            }
            String line = lines.latin1(0);
            int colon = line.indexOf(':');
            if (colon <= 0) {
                throw Multipart.malformed("This is not a header: " + lines.shown());
            }
            try {
                headers.add(line.substring(0, colon).strip(), line.substring(colon + 1).strip());
            } catch (IllegalArgumentException notLegal) {
                throw Multipart.malformed("This is not a header: " + lines.shown());
            }
        }
        return headers.build();
    }

    private static String text(String latin1) {
        return new String(latin1.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }
}
