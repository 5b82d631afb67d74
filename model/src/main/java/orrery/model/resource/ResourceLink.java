package orrery.model.resource;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.model.ResourceId;

/**
 * The path of a container or of something in it, as permissions name it: {@code dbs/d/colls/c} or
 * {@code dbs/d/colls/c/docs/i}. Its ids are names, or all of them are rids. No database has a name
 * with the form of a rid, so the two cannot be confused.
 */
public record ResourceLink(String database, String container, Optional<Child> child) {
    private static final int CONTAINER_SEGMENTS = 4;
    private static final int CHILD_SEGMENTS = 6;

    /** The kinds of resources in a container that a permission may be about. */
    public enum ChildKind {
        ITEM("docs"),
        PROCEDURE("sprocs"),
        TRIGGER("triggers"),
        FUNCTION("udfs"),
        CONFLICT("conflicts");

        private final String segment;

        ChildKind(String segment) {
            this.segment = segment;
        }

        private static Optional<ChildKind> of(String segment) {
            return List.of(values()).stream()
                    .filter(kind -> kind.segment.equals(segment))
                    .findFirst();
        }
    }

    /** A resource in the container. */
    public record Child(ChildKind kind, String id) {}

    /** Empty unless the text is the path of such a resource. Slashes around it do not count. */
    public static Optional<ResourceLink> parse(String text) {
        List<String> segments = segments(text);
        boolean isContainer = segments.size() == CONTAINER_SEGMENTS;
        if ((!isContainer && segments.size() != CHILD_SEGMENTS)
                || segments.stream().anyMatch(String::isEmpty)
                || !segments.get(0).equals("dbs")
                || !segments.get(2).equals("colls")) {
            return Optional.empty();
        }
        Optional<Child> child =
                isContainer
                        ? Optional.empty()
                        : ChildKind.of(segments.get(4))
                                .map(kind -> new Child(kind, segments.get(5)));
        if (!isContainer && child.isEmpty()) {
            return Optional.empty();
        }
        ResourceLink link = new ResourceLink(segments.get(1), segments.get(3), child);
        return link.isConsistent() ? Optional.of(link) : Optional.empty();
    }

    /** Returns true if the ids are rids. */
    public boolean isByRid() {
        return ResourceId.parse(database).filter(ResourceId::isDatabase).isPresent();
    }

    /** The rid of the container, where the link is one of rids. */
    public Optional<ResourceId> containerRid() {
        return isByRid()
                ? ResourceId.parse(container).filter(ResourceId::isContainer)
                : Optional.empty();
    }

    /** A link of rids has one at each place, and those of its owners are parts of the last. */
    private boolean isConsistent() {
        if (!isByRid()) {
            return true;
        }
        Optional<ResourceId> owner = containerRid();
        if (owner.isEmpty() || !isBelow(owner.get(), database)) {
            return false;
        }
        return child.isEmpty()
                || ResourceId.parse(child.get().id())
                        .filter(rid -> rid.container().equals(owner.get().container()))
                        .filter(rid -> isBelow(rid, database))
                        .isPresent();
    }

    private static boolean isBelow(ResourceId rid, String database) {
        return ResourceId.parse(database)
                .map(ResourceId::database)
                .equals(Optional.of(rid.database()));
    }

    private static List<String> segments(String text) {
        int from = text.startsWith("/") ? 1 : 0;
        int to = text.length() > from && text.endsWith("/") ? text.length() - 1 : text.length();
        List<String> segments = new ArrayList<>(CHILD_SEGMENTS);
        for (int at = from; at <= to; ) {
            int slash = text.indexOf('/', at);
            int stop = slash < 0 || slash > to ? to : slash;
            segments.add(text.substring(at, stop));
            at = stop + 1;
        }
        return segments;
    }
}
