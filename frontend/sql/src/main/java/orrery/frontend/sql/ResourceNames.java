package orrery.frontend.sql;

import java.util.Optional;
import orrery.frontend.rest.BodyReader;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.ResourceId;

/**
 * The rules for the ids of databases and of all that lies in them but items. Those of items are the
 * engine's.
 */
final class ResourceNames {
    static final int MAX_CHARACTERS = 255;

    private static final String FORBIDDEN = "/\\?#";

    private ResourceNames() {}

    static String require(Optional<String> id) {
        return check(id.orElseThrow(() -> missing("id")));
    }

    /** Refuses a body that lacks a property. */
    static OrreryException missing(String property) {
        return refused(
                "The input content is invalid because the required properties - '"
                        + property
                        + "; ' - are missing.");
    }

    /** Returns a text that a body must have. */
    static String required(BodyReader reader, String name) {
        return reader.text(name).orElseThrow(() -> missing(reader.path(name)));
    }

    /**
     * A path may name a database by its id or by its rid. An id that could be a rid would make the
     * two indistinguishable, and a delete of one could hit the other.
     */
    static String requireDatabase(Optional<String> id) {
        String name = require(id);
        if (ResourceId.parse(name).filter(ResourceId::isDatabase).isPresent()) {
            throw refused(
                    "The id of a database must not have the form of a resource id (8 characters of"
                            + " Base64 ending in ==). Choose another.");
        }
        return name;
    }

    private static String check(String id) {
        int characters = id.codePointCount(0, id.length());
        if (characters < 1 || characters > MAX_CHARACTERS) {
            throw refused(
                    "The input name is invalid. Ensure to provide a unique non-empty string less"
                            + " than '"
                            + MAX_CHARACTERS
                            + "' characters. The id of a resource may have that many and this one"
                            + " has "
                            + characters
                            + ".");
        }
        for (int i = 0; i < id.length(); i++) {
            if (FORBIDDEN.indexOf(id.charAt(i)) >= 0) {
                throw refused("The id contains an illegal character: one of / \\ ? #.");
            }
        }
        if (id.endsWith(" ")) {
            throw refused("The id must not end with a space.");
        }
        if (id.codePoints().anyMatch(c -> c >= 0xD800 && c <= 0xDFFF)) {
            throw refused("The id is not valid Unicode text.");
        }
        return id;
    }

    private static OrreryException refused(String text) {
        return new OrreryException(ErrorCode.BAD_REQUEST, text);
    }
}
