package orrery.query.syntax;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The aliases that an expression may use: those of its own query, then those around it. */
final class Scope {
    private final @Nullable Scope outer;
    private final Set<String> aliases = new HashSet<>();

    /**
     * True if the next source starts from the item itself: true at the very beginning of a FROM
     * that no alias surrounds. Any name means the container there.
     */
    private boolean startsFromItem;

    private Scope(@Nullable Scope outer, boolean startsFromItem) {
        this.outer = outer;
        this.startsFromItem = startsFromItem;
    }

    static Scope top() {
        return new Scope(null, true);
    }

    Scope inner() {
        return new Scope(this, startsFromItem);
    }

    boolean isInner() {
        return outer != null;
    }

    boolean startsFromItem() {
        return startsFromItem;
    }

    /** No alias, no source: from here on, names are aliases only. */
    void endOfFirstSource() {
        startsFromItem = false;
    }

    /** False if the query has a source of that name already. */
    boolean add(String alias) {
        return aliases.add(alias);
    }

    boolean resolves(String name) {
        return aliases.contains(name) || (outer != null && outer.resolves(name));
    }
}
