package orrery.query.syntax;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Checks the SELECT list of a grouped query: it may refer to keys, and to rows inside aggregates.
 * Aliases of queries around it are the same for all rows, so they are free.
 */
final class GroupRule {
    private final List<Scalar> keys;

    private GroupRule(List<Scalar> keys) {
        this.keys = keys;
    }

    /** The first path that belongs to a row and not to the group. */
    static Optional<Scalar> findViolation(Query query) {
        GroupRule rule = new GroupRule(query.groupBy());
        Set<String> aliases = aliases(query);
        for (Scalar value : query.selection().values()) {
            Optional<Scalar> violation = rule.find(value, aliases);
            if (violation.isPresent()) {
                return violation;
            }
        }
        return Optional.empty();
    }

    private static Set<String> aliases(Query query) {
        Set<String> aliases = new HashSet<>();
        for (Source source : query.from()) {
            source.alias().ifPresent(aliases::add);
        }
        return aliases;
    }

    private Optional<Scalar> find(Scalar scalar, Set<String> rowAliases) {
        if (keys.contains(scalar)) {
            return Optional.empty();
        }
        return switch (scalar) {
            case Scalar.Reference(String alias) ->
                    rowAliases.contains(alias) ? Optional.of(scalar) : Optional.empty();
            case Scalar.Call(BuiltIn function, _) when function.isAggregate() -> Optional.empty();
            // The whole path is to blame, not only the alias that it starts with.
            case Scalar.Property(Scalar base, _) -> {
                Optional<Scalar> violation = find(base, rowAliases);
                yield violation.isPresent() && violation.get() == base
                        ? Optional.of(scalar)
                        : violation;
            }
            case Scalar.Index(Scalar base, Scalar index) -> {
                Optional<Scalar> violation = find(base, rowAliases);
                if (violation.isEmpty()) {
                    yield find(index, rowAliases);
                }
                yield violation.get() == base ? Optional.of(scalar) : violation;
            }
            case Scalar.Subquery(_, Query inner) -> findInside(inner, rowAliases);
            default -> {
                for (Scalar child : scalar.children()) {
                    Optional<Scalar> violation = find(child, rowAliases);
                    if (violation.isPresent()) {
                        yield violation;
                    }
                }
                yield Optional.empty();
            }
        };
    }

    private Optional<Scalar> findInside(Query inner, Set<String> rowAliases) {
        Set<String> visible = new HashSet<>(rowAliases);
        for (Source source : inner.from()) {
            Optional<Scalar> violation =
                    switch (source.collection()) {
                        case Source.Collection.Single(Scalar value) -> find(value, visible);
                        case Source.Collection.Results(Query query) -> findInside(query, visible);
                    };
            if (violation.isPresent()) {
                return violation;
            }
            source.alias().ifPresent(visible::remove);
        }
        Set<Scalar> rest = new HashSet<>();
        for (Scalar value : inner.selection().values()) {
            collectAggregateInputs(value, rest);
            rest.add(value);
        }
        inner.where().ifPresent(rest::add);
        rest.addAll(inner.groupBy());
        for (Scalar value : rest) {
            Optional<Scalar> violation = find(value, visible);
            if (violation.isPresent()) {
                return violation;
            }
        }
        return Optional.empty();
    }

    /** Aggregates of the inner query run over its rows, not over those of this one. */
    private static void collectAggregateInputs(Scalar scalar, Set<Scalar> inputs) {
        if (scalar instanceof Scalar.Call call && call.function().isAggregate()) {
            inputs.addAll(call.arguments());
            return;
        }
        for (Scalar child : scalar.children()) {
            collectAggregateInputs(child, inputs);
        }
    }
}
