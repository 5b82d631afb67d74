package orrery.query.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import orrery.document.IndexPath;
import orrery.document.PropertyNames;
import orrery.document.TypeOrder;
import orrery.document.Value;
import orrery.model.TermRules;
import orrery.query.dialect.AnswerShape;
import orrery.query.dialect.ReadNames;
import orrery.query.dialect.RowLimit;
import orrery.query.dialect.SortOrder;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.evaluate.Evaluator;
import orrery.query.evaluate.LimitClauses;
import orrery.query.evaluate.ReadPaths;
import orrery.query.execute.PreparedQuery;
import orrery.query.index.Constants;
import orrery.query.index.FilterAnalysis;
import orrery.query.index.PathNames;
import orrery.query.syntax.Ordering;
import orrery.query.syntax.Query;
import orrery.query.syntax.QueryError;
import orrery.query.syntax.Scalar;
import orrery.query.syntax.Selection;
import orrery.query.syntax.Source;

/** Makes SQL queries ready to run on any partition. */
public final class SqlPreparation {
    private SqlPreparation() {}

    /**
     * Fails with BAD_REQUEST for what can never run.
     *
     * @param evaluator with the parameters of the statement
     * @param isPart whether its answer is one of several that are merged
     * @param rules by which the index was made
     */
    public static PreparedQuery prepare(
            SqlStatement statement, Evaluator evaluator, boolean isPart, TermRules rules) {
        Query query = statement.query();
        Constants constants = new Constants(evaluator, rules);
        SqlProgram program = new SqlProgram(query, statement, evaluator);
        // DISTINCT has to compare what it returns, so it reads the items like any other result.
        boolean isWholeItem = !query.isGrouped() && !query.distinct() && isWholeItem(query);
        RowLimit limit = LimitClauses.of(evaluator, query);
        return new PreparedQuery(
                program,
                shape(query),
                FilterAnalysis.of(query, constants),
                FilterAnalysis.isExact(query, constants),
                // The order of what is aggregated makes no difference.
                query.isGrouped() ? SortOrder.NONE : order(query, constants),
                isPart ? limit.ofPart(query.distinct()) : limit,
                isPart,
                rowForm(query, isWholeItem),
                names(query, isWholeItem, evaluator.computed()),
                evaluator.computed());
    }

    /** The shape of the answer of a query. */
    static AnswerShape shape(Query query) {
        return new AnswerShape(
                !query.from().isEmpty(),
                query.distinct(),
                query.isGrouped(),
                query.orderBy().isPresent() && query.isGrouped(),
                query.orderBy().isPresent() && !query.isGrouped(),
                query.isSortedByResult());
    }

    private static PreparedQuery.RowForm rowForm(Query query, boolean isWholeItem) {
        if (!isWholeItem) {
            return PreparedQuery.RowForm.RESULT;
        }
        return query.from().size() == 1
                ? PreparedQuery.RowForm.ITEM
                : PreparedQuery.RowForm.ITEM_OF_ROW;
    }

    private static ReadNames names(Query query, boolean isWholeItem, ComputedProperties computed) {
        return new ReadNames(
                namesRead(isWholeItem ? withoutSelection(query) : query, computed),
                namesRead(with(query, query.selection(), Optional.empty()), computed));
    }

    private static SortOrder order(Query query, Constants constants) {
        if (query.orderBy().isEmpty()) {
            return SortOrder.NONE;
        }
        if (query.orderBy().get() instanceof Ordering.ByRank) {
            throw QueryError.engine(
                    "ORDER BY RANK is not supported: this account has no full-text, vector or"
                            + " hybrid search.");
        }
        PathNames paths = PathNames.of(query.from(), constants);
        List<SortOrder.Column> columns = new ArrayList<>();
        for (Ordering.Item item : query.orderBy().get().items()) {
            if (isCorrelated(item.value(), query.from())) {
                throw QueryError.engine("Order-by over correlated collections is not supported.");
            }
            IndexPath path =
                    paths.find(item.value())
                            .filter(found -> !found.steps().isEmpty())
                            .orElseThrow(QueryError::unmappedOrder);
            columns.add(new SortOrder.Column(path, item.descending()));
        }
        return new SortOrder(columns, TypeOrder.SQL, true);
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
}
