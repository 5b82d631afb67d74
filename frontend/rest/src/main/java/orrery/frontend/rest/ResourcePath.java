package orrery.frontend.rest;

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
            segments.add(decode(path.substring(at, stop)));
            at = stop + 1;
        }
        return new ResourcePath(segments);
    }

    private static String decode(String segment) {
        return PercentText.decode(segment)
                .orElseThrow(
                        () ->
                                new OrreryException(
                                        ErrorCode.BAD_REQUEST,
                                        "The path of the request is not valid: ids in it must be"
                                                + " UTF-8, percent-encoded."));
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
}
