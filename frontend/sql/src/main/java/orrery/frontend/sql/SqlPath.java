package orrery.frontend.sql;

import java.util.List;
import java.util.Locale;
import orrery.frontend.rest.ResourcePath;
import orrery.frontend.rest.SignedResource;
import orrery.model.ResourceId;

/** The path of a request, and what clients of this API sign of it. */
record SqlPath(ResourcePath path) implements SignedResource {
    private static final String OFFERS = "offers";

    static SqlPath parse(String path) {
        return new SqlPath(ResourcePath.parse(path));
    }

    List<String> segments() {
        return path.segments();
    }

    /** SDKs disagree only about deletes by partition key: JavaScript signs the container. */
    @Override
    public List<String> signedTypes() {
        return isKeyDelete() ? List.of("colls", "partitionkey") : path.signedTypes();
    }

    /**
     * The names as they stand or, where the path may consist of rids, the last rid in lower case.
     * Deleting by partition key is a verb on a container; clients sign the container.
     */
    @Override
    public List<String> signedLinks() {
        List<String> owner =
                isKeyDelete() ? segments().subList(0, segments().size() - 2) : path.owner();
        String byName = String.join("/", owner);
        return owner.isEmpty() || !mayConsistOfRids()
                ? List.of(byName)
                : List.of(owner.getLast().toLowerCase(Locale.ROOT), byName);
    }

    /**
     * Returns true if the first id has the form of a rid, which decides how clients read the rest.
     */
    private boolean mayConsistOfRids() {
        if (segments().size() < 2) {
            return false;
        }
        if (segments().getFirst().equals(OFFERS)) {
            return true;
        }
        String first = segments().get(1);
        // Four bytes make eight characters; names are rarely that, so most paths stop here.
        return first.length() == 8
                && first.endsWith("==")
                && ResourceId.parse(first).filter(ResourceId::isDatabase).isPresent();
    }

    private boolean isKeyDelete() {
        return segments().size() == 6
                && segments().get(4).equals("operations")
                && segments().get(5).equals("partitionkeydelete");
    }
}
