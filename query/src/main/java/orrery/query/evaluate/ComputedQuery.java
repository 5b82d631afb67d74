package orrery.query.evaluate;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import orrery.model.ContainerDefinition.ComputedProperty;
import orrery.model.OrreryException;
import orrery.query.syntax.BuiltIn;
import orrery.query.syntax.Query;
import orrery.query.syntax.QueryError;
import orrery.query.syntax.QueryParser;
import orrery.query.syntax.Scalar;
import orrery.query.syntax.Selection;
import orrery.query.syntax.Source;

/**
 * Checks the query of a computed property. It must give one value of one item, {@code SELECT VALUE
 * LOWER(c.name) FROM c}, that is the same whenever it is asked for.
 */
final class ComputedQuery {
    private final ComputedProperty definition;
    private final int index;

    private ComputedQuery(ComputedProperty definition, int index) {
        this.definition = definition;
        this.index = index;
    }

    /**
     * @param index of the definition among all
     */
    static CompiledProperty compile(
            ComputedProperty definition, int index, List<ComputedProperty> all) {
        return new ComputedQuery(definition, index).compile(all);
    }

    private CompiledProperty compile(List<ComputedProperty> all) {
        Query query = parse();
        if (!(query.selection() instanceof Selection.Bare(Scalar value))) {
            throw QueryError.engine(
                    "Required VALUE expression missing from computed property query '"
                            + definition.query()
                            + "' at index ("
                            + index
                            + ").");
        }
        String alias = alias(query);
        checkClauses(query);
        check(value);
        Optional<Set<String>> names = names(query);
        names.ifPresent(found -> checkNames(found, all));
        return new CompiledProperty(definition, alias, compile(value), names);
    }

    private Query parse() {
        try {
            return QueryParser.query(definition.query());
        } catch (OrreryException malformed) {
            throw malformed(malformed);
        }
    }

    private Expression compile(Scalar value) {
        try {
            return new Evaluator(Map.of()).compile(value);
        } catch (OrreryException malformed) {
            throw malformed(malformed);
        }
    }

    private OrreryException malformed(OrreryException why) {
        return QueryError.engine(
                "Computed property at index ("
                        + index
                        + ") has a malformed query: '"
                        + definition.query()
                        + "' Error details: '"
                        + why.text()
                        + "'");
    }

    private String alias(Query query) {
        if (query.from().isEmpty()) {
            throw refused("needs a FROM clause that names the item, such as FROM c");
        }
        if (query.from().size() > 1) {
            throw refused("must not have a JOIN");
        }
        if (query.from().getFirst()
                instanceof
                Source.Bound(Optional<String> alias, Source.Collection.Single(Scalar.Item()))) {
            return alias.orElseThrow();
        }
        throw refused("must have a FROM clause that stands for the whole item, such as FROM c");
    }

    private void checkClauses(Query query) {
        refuseIf(query.where().isPresent(), "a WHERE clause");
        refuseIf(!query.groupBy().isEmpty(), "a GROUP BY clause");
        refuseIf(query.orderBy().isPresent(), "an ORDER BY clause");
        refuseIf(query.top().isPresent(), "TOP");
        refuseIf(query.distinct(), "DISTINCT");
        refuseIf(query.window().isPresent(), "an OFFSET LIMIT clause");
    }

    private void refuseIf(boolean isThere, String what) {
        if (isThere) {
            throw refused("must not have " + what);
        }
    }

    private void check(Scalar scalar) {
        switch (scalar) {
            case Scalar.Subquery _ -> throw refused("must not have a subquery");
            case Scalar.UdfCall(String name, _) ->
                    throw refused("must not call the user-defined function '" + name + "'");
            case Scalar.Parameter(String name) ->
                    throw refused("must not use the parameter '" + name + "'");
            case Scalar.Call(BuiltIn function, _) -> check(function);
            default -> {}
        }
        for (Scalar child : scalar.children()) {
            check(child);
        }
    }

    private void check(BuiltIn function) {
        switch (function.group()) {
            case AGGREGATE ->
                    throw refused("must not use the aggregate function '" + function + "'");
            case SPATIAL -> throw refused("must not use the spatial function '" + function + "'");
            default -> {
                if (!function.isTimeless()) {
                    throw refused(
                            "must not use the function '"
                                    + function
                                    + "', which is not deterministic");
                }
            }
        }
    }

    private static Optional<Set<String>> names(Query query) {
        return ReadPaths.of(query)
                .map(
                        paths ->
                                paths.stream()
                                        .map(List::getFirst)
                                        .collect(Collectors.toUnmodifiableSet()));
    }

    private void checkNames(Set<String> names, List<ComputedProperty> all) {
        for (String name : names) {
            if (!CompiledProperty.isVisible(name)) {
                throw refused(
                        "must not read the system property '"
                                + name
                                + "': of these, only '_ts' is known when an item is indexed");
            }
            boolean isOther =
                    !name.equals(definition.name())
                            && all.stream().anyMatch(each -> each.name().equals(name));
            if (isOther) {
                throw refused("must not read the computed property '" + name + "'");
            }
        }
    }

    private OrreryException refused(String why) {
        return QueryError.engine(
                "Computed property query '"
                        + definition.query()
                        + "' at index ("
                        + index
                        + ") "
                        + why
                        + ".");
    }
}
