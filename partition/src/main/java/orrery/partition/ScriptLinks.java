package orrery.partition;

import java.util.Optional;
import java.util.OptionalLong;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.ResourceId;
import orrery.partition.api.ScriptPlace;

/** The links by which a script names its container and the items in it: by rid or by name. */
final class ScriptLinks {
    private static final String ITEMS = "docs/";

    private final String self;
    private final String alt;

    ScriptLinks(ScriptPlace place, int container) {
        this.self = ResourceId.ofContainer(place.database(), container).link();
        this.alt = place.altLink() + "/";
    }

    /** By rid, with a slash at its end as the service has it. */
    String self() {
        return self;
    }

    /** The item that a link names, by one of the two. */
    record ItemLink(OptionalLong docid, Optional<String> id) {}

    /** Throws unless the link is that of the script's own container. */
    void requireContainer(String link) {
        String whole = closed(relative(link));
        if (!whole.equals(self) && !whole.equals(alt)) {
            throw foreign(link);
        }
    }

    ItemLink item(String link) {
        String whole = relative(link);
        Optional<String> rid = behind(self + ITEMS, closed(whole));
        if (rid.isPresent()) {
            return new ItemLink(
                    rid.map(text -> text.substring(0, text.length() - 1))
                            .flatMap(ResourceId::parse)
                            .map(ResourceId::docid)
                            .orElse(OptionalLong.empty()),
                    Optional.empty());
        }
        // An id may end with a slash of its own, so here the last one closes nothing.
        Optional<String> id = behind(alt + ITEMS, whole);
        if (id.isPresent()) {
            return new ItemLink(OptionalLong.empty(), id);
        }
        throw foreign(link);
    }

    /** Returns the rest after the place in a link, if the link leads there and names something. */
    private static Optional<String> behind(String place, String link) {
        return link.startsWith(place) && link.length() > place.length()
                ? Optional.of(link.substring(place.length()))
                : Optional.empty();
    }

    private static String relative(String link) {
        return link.startsWith("/") ? link.substring(1) : link;
    }

    private static String closed(String link) {
        return link.endsWith("/") ? link : link + "/";
    }

    private static OrreryException foreign(String link) {
        return new OrreryException(
                ErrorCode.BAD_REQUEST,
                "The link '" + link + "' does not lead into the container of this script.");
    }
}
