package orrery.query.execute;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import orrery.document.IndexPath;
import orrery.document.PropertyNames;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.ContainerDefinition.Geospatial;
import orrery.query.evaluate.Aggregation;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.evaluate.Effort;
import orrery.query.evaluate.Evaluator;
import orrery.query.evaluate.Expression;
import orrery.query.evaluate.Projection;
import orrery.query.evaluate.ReadPaths;
import orrery.query.evaluate.RowLimit;
import orrery.query.evaluate.Rows;
import orrery.query.evaluate.UserFunctions;
import orrery.query.index.Constants;
import orrery.query.index.FilterAnalysis;
import orrery.query.index.IndexFilter;
import orrery.query.index.PathNames;
import orrery.query.syntax.Ordering;
import orrery.query.syntax.Query;
import orrery.query.syntax.QueryError;
import orrery.query.syntax.Scalar;
import orrery.query.syntax.Selection;
import orrery.query.syntax.Source;

/**
 * A query with its parameters, made ready to run on any partition. One thread uses it at a time.
 */
public final class PreparedQuery {
    private final Effort effort = new Effort();
    private final Query query;
    private final ComputedProperties computed;
    private final Rows rows;
    private final Optional<Aggregation> aggregation;
    private final Optional<Projection> projection;
    private final IndexFilter filter;
    private final boolean isExact;
    private final Optional<PropertyNames> namesSelected;
    private final List<Sorting.Wanted> order;
    private final RowLimit limit;
    private final boolean isPart;
    private final boolean isWholeItem;
    private final Optional<PropertyNames> namesRead;
    private final String text;
    private final Map<String, Value> parameters;
    private final Evaluator evaluator;

    private PreparedQuery(
            Query query,
            String text,
            Map<String, Value> parameters,
            Evaluator evaluator,
            boolean isPart) {
        this.query = query;
        this.computed = evaluator.computed();
        this.isPart = isPart;
        this.evaluator = evaluator;
        Constants constants = new Constants(evaluator, effort);
        this.rows = new Rows(evaluator, query.from(), query.where());
        boolean aggregates = query.isGrouped();
        this.aggregation =
                aggregates ? Optional.of(new Aggregation(evaluator, query)) : Optional.empty();
        this.projection =
                aggregates ? Optional.empty() : Optional.of(new Projection(evaluator, query));
        this.filter = FilterAnalysis.of(query, constants);
        this.isExact = FilterAnalysis.isExact(query, constants);
        this.namesSelected = namesRead(with(query, query.selection(), Optional.empty()), computed);
        // The order of what is aggregated makes no difference.
        this.order = aggregates ? List.of() : order(query, evaluator, constants);
        RowLimit whole = RowLimit.of(evaluator, query);
        this.limit = isPart ? whole.ofPart(query.distinct()) : whole;
        // DISTINCT has to compare what it returns, so it reads the items like any other result.
        this.isWholeItem = !aggregates && !query.distinct() && isWholeItem(query);
        this.namesRead = namesRead(isWholeItem ? withoutSelection(query) : query, computed);
        this.text = text;
        this.parameters = Map.copyOf(parameters);
    }

    /**
     * Fails with BAD_REQUEST for what can never run.
     *
     * @param text of the query
     * @param parameters by name, with the {@code @}
     * @param space what the coordinates of the container's geometries mean
     * @param functions those of users that it may call
     * @param computed properties of the container
     */
    public static PreparedQuery of(
            Query query,
            String text,
            Map<String, Value> parameters,
            Geospatial space,
            UserFunctions functions,
            ComputedProperties computed) {
        return of(query, text, parameters, new Evaluator(parameters, space, functions, computed));
    }

    /**
     * Fails with BAD_REQUEST for what can never run.
     *
     * @param evaluator with the same parameters
     */
    public static PreparedQuery of(
            Query query, String text, Map<String, Value> parameters, Evaluator evaluator) {
        return new PreparedQuery(query, text, parameters, evaluator, false);
    }

    /** Like {@link #of}, for one of several partitions whose answers are merged. */
    public static PreparedQuery part(
            Query query, String text, Map<String, Value> parameters, Evaluator evaluator) {
        return new PreparedQuery(query, text, parameters, evaluator, true);
    }

    private static List<Sorting.Wanted> order(
            Query query, Evaluator evaluator, Constants constants) {
        if (query.orderBy().isEmpty()) {
            return List.of();
        }
        List<Expression> values =
                query.orderBy().get().items().stream()
                        .map(item -> evaluator.compile(item.value()))
                        .toList();
        if (query.orderBy().get() instanceof Ordering.ByRank) {
            throw QueryError.engine(
                    "ORDER BY RANK is not supported: this account has no full-text, vector or"
                            + " hybrid search.");
        }
        PathNames paths = PathNames.of(query.from(), constants);
        List<Sorting.Wanted> wanted = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            Ordering.Item item = query.orderBy().get().items().get(i);
            if (isCorrelated(item.value(), query.from())) {
                throw QueryError.engine("Order-by over correlated collections is not supported.");
            }
            IndexPath path =
                    paths.find(item.value())
                            .filter(found -> !found.steps().isEmpty())
                            .orElseThrow(QueryError::unmappedOrder);
            wanted.add(new Sorting.Wanted(path, values.get(i), item.descending()));
        }
        return wanted;
    }

    /** Returns true if a path begins at the elements of an array, of which an item has several. */
    private static boolean isCorrelated(Scalar path, List<Source> from) {
        return switch (path) {
            case Scalar.Property(Scalar base, _) -> isCorrelated(base, from);
            case Scalar.Index(Scalar base, _) -> isCorrelated(base, from);
            case Scalar.Reference(String alias) ->
                    from.stream()
                            .filter(source -> source.alias().equals(Optional.of(alias)))
                            .anyMatch(
                                    source ->
                                            !(source
                                                            instanceof
                                                            Source.Bound(
                                                                    _,
                                                                    Source.Collection.Single(
                                                                            Scalar value)))
                                                    || isCorrelated(value, from));
            default -> false;
        };
    }

    private static boolean isWholeItem(Query query) {
        Optional<String> alias =
                query.from().isEmpty() ? Optional.empty() : itemAlias(query.from().getFirst());
        return alias.isPresent()
                && switch (query.selection()) {
                    case Selection.Everything _ -> true;
                    case Selection.Bare(Scalar value) ->
                            value.equals(new Scalar.Reference(alias.get()));
                    case Selection.Items _ -> false;
                };
    }

    /** The name of the whole item, if that is what a source binds. */
    private static Optional<String> itemAlias(Source source) {
        boolean isItem =
                source instanceof Source.Bound(_, Source.Collection.Single(Scalar value))
                        && value instanceof Scalar.Item;
        return isItem ? source.alias() : Optional.empty();
    }

    private static Query withoutSelection(Query query) {
        return with(query, new Selection.Bare(new Scalar.Constant(Value.of(true))), query.where());
    }

    private static Query with(Query query, Selection selection, Optional<Scalar> where) {
        return new Query(
                query.distinct(),
                query.top(),
                selection,
                query.from(),
                where,
                query.groupBy(),
                query.orderBy(),
                query.window());
    }

    /** The stored top-level properties that a query looks at; empty if it may be any. */
    private static Optional<PropertyNames> namesRead(Query query, ComputedProperties computed) {
        return ReadPaths.of(query)
                .map(
                        paths ->
                                paths.stream()
                                        .map(List::getFirst)
                                        .collect(Collectors.toUnmodifiableSet()))
                .flatMap(computed::needs)
                .map(PropertyNames::new);
    }

    public Query query() {
        return query;
    }

    /** Counts what running it computes. */
    Effort effort() {
        return effort;
    }

    ComputedProperties computed() {
        return computed;
    }

    Rows rows() {
        return rows;
    }

    Optional<Aggregation> aggregation() {
        return aggregation;
    }

    Projection projection() {
        return projection.orElseThrow();
    }

    IndexFilter filter() {
        return filter;
    }

    /** Empty where any order will do. */
    List<Sorting.Wanted> order() {
        return order;
    }

    RowLimit limit() {
        return limit;
    }

    boolean isPart() {
        return isPart;
    }

    /**
     * Returns true if the results are items as they are, so that nothing needs to be compared or
     * printed.
     */
    boolean isWholeItem() {
        return isWholeItem;
    }

    /** Returns true if the results are those items that match, one each. */
    boolean isItems() {
        return isWholeItem && query.from().size() == 1;
    }

    /**
     * Returns true if the items with the entries of the {@link #filter} are exactly those that
     * match.
     */
    boolean isExact() {
        return isExact;
    }

    /** Returns true if the answer depends only on which items match, not on their contents. */
    boolean readsOnlyFilter() {
        return namesSelected.isPresent() && namesSelected.get().isEmpty();
    }

    /** The stored top-level properties that are looked at in an item that is known to match. */
    Optional<PropertyNames> namesSelected() {
        return namesSelected;
    }

    /**
     * The stored top-level properties that are looked at, besides being returned; empty for any.
     */
    Optional<PropertyNames> namesRead() {
        return namesRead;
    }

    /** Tells which queries can go on from its positions. Most queries never have a position. */
    Bytes binding() {
        return QueryBinding.of(query, text, parameters, evaluator, "");
    }
}
