package orrery.frontend.rest;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;

/**
 * The path of a request as its decoded segments, which are pairs of a resource type and an id. With
 * a last id it names one resource, without it a feed.
 */
public record ResourcePath(List<String> segments) implements SignedResource {
    public ResourcePath {
        segments = List.copyOf(segments);
    }

    /**
     * Decodes {@code %XX} as UTF-8. A {@code +} stays what it is: rids contain it. Slashes before
     * and after the path do not count, because clients join endpoint and path carelessly.
     */
    public static ResourcePath parse(String path) {
        int end = path.length();
        while (end > 0 && path.charAt(end - 1) == '/') {
            end--;
        }
        int at = 0;
        while (at < end && path.charAt(at) == '/') {
            at++;
        }
        List<String> segments = new ArrayList<>(6);
        while (at < end) {
            int slash = path.indexOf('/', at);
            int stop = slash < 0 || slash > end ? end : slash;
            segments.add(decode(path, at, stop));
            at = stop + 1;
        }
        return new ResourcePath(segments);
    }

    public boolean isFeed() {
        return segments.size() % 2 == 1;
    }

    @Override
    public List<String> signedTypes() {
        return List.of(
                segments.isEmpty()
                        ? ""
                        : segments.get(isFeed() ? segments.size() - 1 : segments.size() - 2)
                                .toLowerCase(Locale.ROOT));
    }

    @Override
    public List<String> signedLinks() {
        return List.of(String.join("/", owner()));
    }

    /** The segments of the resource itself, or of the parent of a feed. */
    public List<String> owner() {
        return segments.subList(0, segments.size() - (isFeed() ? 1 : 0));
    }

    private static String decode(String path, int from, int to) {
        boolean isPlain = true;
        for (int i = from; i < to; i++) {
            char c = path.charAt(i);
            isPlain &= c != '%' && c < 0x80;
        }
        if (isPlain) {
            return path.substring(from, to);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(to - from);
        for (int i = from; i < to; i++) {
            char c = path.charAt(i);
            if (c == '%') {
                bytes.write(hexPair(path, i + 1, to));
                i += 2;
            } else if (c < 0x100) {
                // A client that sent raw bytes: the HTTP layer hands each on as one character.
                bytes.write(c);
            } else {
                throw malformed();
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException notUtf8) {
            throw malformed();
        }
    }

    private static int hexPair(String path, int at, int to) {
        if (at + 2 > to) {
            throw malformed();
        }
        char high = path.charAt(at);
        char low = path.charAt(at + 1);
        // Character.digit also knows the digits of other scripts.
        int value = high < 0x80 && low < 0x80 ? Character.digit(high, 16) << 4 : -1;
        int last = Character.digit(low, 16);
        if (value < 0 || last < 0) {
            throw malformed();
        }
        return value | last;
    }

    private static OrreryException malformed() {
        return new OrreryException(
                ErrorCode.BAD_REQUEST,
                "The path of the request is not valid: ids in it must be UTF-8, percent-encoded.");
    }
}
