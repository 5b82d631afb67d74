package orrery.query.syntax;

import java.util.List;
import java.util.Optional;

/**
 * One SELECT, whether at the top or inside another.
 *
 * @param top a constant or a parameter
 * @param from in order: each may use the aliases of those before it; empty means one empty row
 */
public record Query(
        boolean distinct,
        Optional<Scalar> top,
        Selection selection,
        List<Source> from,
        Optional<Scalar> where,
        List<Scalar> groupBy,
        Optional<Ordering> orderBy,
        Optional<Window> window) {
    public Query {
        from = List.copyOf(from);
        groupBy = List.copyOf(groupBy);
    }

    /** OFFSET and LIMIT, each a constant or a parameter. */
    public record Window(Scalar offset, Scalar limit) {}
}
