package orrery.cluster.catalog;

import java.util.ArrayList;
import java.util.List;

/** The changes of one command, until they are written. */
final class CatalogDraft {
    private final CatalogLevel level;
    private final long stampMillis;
    private final List<Change> changes = new ArrayList<>();

    /**
     * @param level says how the command is applied
     * @param stampMillis the time of the command
     */
    CatalogDraft(CatalogLevel level, long stampMillis) {
        this.level = level;
        this.stampMillis = stampMillis;
    }

    CatalogLevel level() {
        return level;
    }

    long stampMillis() {
        return stampMillis;
    }

    void add(Change change) {
        changes.add(change);
    }

    /** A command that is rejected changes nothing. */
    void discard() {
        changes.clear();
    }

    List<Change> changes() {
        return List.copyOf(changes);
    }
}
