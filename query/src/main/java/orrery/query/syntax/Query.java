package orrery.query.syntax;

import java.util.ArrayList;
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

    /** Returns true if rows become groups: the query says so, or it uses an aggregate function. */
    public boolean isGrouped() {
        return !groupBy.isEmpty() || !aggregates().isEmpty();
    }

    /** The aggregates of the SELECT list, but not those of queries inside it. */
    public List<Scalar.Call> aggregates() {
        List<Scalar.Call> found = new ArrayList<>();
        for (Scalar value : selection.values()) {
            collectAggregates(value, found);
        }
        return found;
    }

    private static void collectAggregates(Scalar scalar, List<Scalar.Call> found) {
        if (scalar instanceof Scalar.Call call && call.function().isAggregate()) {
            found.add(call);
            return;
        }
        for (Scalar child : scalar.children()) {
            collectAggregates(child, found);
        }
    }

    /** Returns true if equal results come one after the other, because the query sorts by them. */
    public boolean isSortedByResult() {
        return selection instanceof Selection.Bare(Scalar value)
                && orderBy.isPresent()
                && orderBy.get().items().stream()
                        .map(Ordering.Item::value)
                        .toList()
                        .equals(List.of(value));
    }

    /**
     * The query in FROM, if its results cannot be told from one item at a time: it has to run over
     * all items first.
     */
    public Optional<Query> derived() {
        return !from.isEmpty()
                        && from.getFirst().collection()
                                instanceof Source.Collection.Results(Query inner)
                        && (inner.distinct() || inner.isGrouped() || inner.derived().isPresent())
                ? Optional.of(inner)
                : Optional.empty();
    }

    /** This query with the results of {@link #derived} for items. */
    public Query overDerived() {
        Source.Collection result = new Source.Collection.Single(new Scalar.Item());
        List<Source> sources = new ArrayList<>(from);
        sources.set(
                0,
                switch (from.getFirst()) {
                    case Source.Bound(Optional<String> alias, _) -> new Source.Bound(alias, result);
                    case Source.Iterated(String name, _) -> new Source.Iterated(name, result);
                });
        return new Query(distinct, top, selection, sources, where, groupBy, orderBy, window);
    }

    /** OFFSET and LIMIT, each a constant or a parameter. */
    public record Window(Scalar offset, Scalar limit) {}
}
