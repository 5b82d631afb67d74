package orrery.frontend.sql;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.ResourceId;

/**
 * The path of a request as its decoded segments, which are pairs of a resource type and an id. With
 * a last id it names one resource, without it a feed. It also knows what clients sign of it.
 */
public record SqlPath(List<String> segments) {
    private static final String OFFERS = "offers";

    public SqlPath {
        segments = List.copyOf(segments);
    }

    /**
     * Decodes {@code %XX} as UTF-8. A {@code +} stays what it is: rids contain it. Slashes before
     * and after the path do not count, because clients join endpoint and path carelessly.
     */
    public static SqlPath parse(String path) {
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
        return new SqlPath(segments);
    }

    boolean isFeed() {
        return segments.size() % 2 == 1;
    }

    /**
     * The types a client may have signed; an empty one for the account itself. SDKs disagree only
     * about deletes by partition key: JavaScript signs the container.
     */
    List<String> signedTypes() {
        if (segments.isEmpty()) {
            return List.of("");
        }
        if (isKeyDelete()) {
            return List.of("colls", "partitionkey");
        }
        return List.of(
                segments.get(isFeed() ? segments.size() - 1 : segments.size() - 2)
                        .toLowerCase(Locale.ROOT));
    }

    /**
     * The links a client may have signed, the likeliest first: the names as they stand, or, where
     * the path may consist of rids, the last rid in lower case.
     */
    List<String> signedLinks() {
        int count = isKeyDelete() ? segments.size() - 2 : segments.size() - (isFeed() ? 1 : 0);
        if (count <= 0) {
            return List.of("");
        }
        List<String> owner = segments.subList(0, count);
        String byName = String.join("/", owner);
        if (!mayConsistOfRids()) {
            return List.of(byName);
        }
        String byRid = owner.getLast().toLowerCase(Locale.ROOT);
        return List.of(byRid, byName);
    }

    /**
     * Returns true if the first id has the form of a rid, which decides how clients read the rest.
     */
    boolean mayConsistOfRids() {
        if (segments.size() < 2) {
            return false;
        }
        if (segments.getFirst().equals(OFFERS)) {
            return true;
        }
        String first = segments.get(1);
        // Four bytes make eight characters; names are rarely that, so most paths stop here.
        return first.length() == 8
                && first.endsWith("==")
                && ResourceId.parse(first).filter(ResourceId::isDatabase).isPresent();
    }

    /** Deleting by partition key is a verb on a container; clients sign the container. */
    private boolean isKeyDelete() {
        return segments.size() == 6
                && segments.get(4).equals("operations")
                && segments.get(5).equals("partitionkeydelete");
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
