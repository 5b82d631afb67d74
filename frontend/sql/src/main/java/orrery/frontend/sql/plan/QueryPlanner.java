package orrery.frontend.sql.plan;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import orrery.document.Value;
import orrery.frontend.sql.plan.QueryPlan.Distinct;
import orrery.model.Encoding;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.query.evaluate.Bindings;
import orrery.query.evaluate.Evaluator;
import orrery.query.plan.KeyFilter;
import orrery.query.syntax.BuiltIn;
import orrery.query.syntax.Ordering;
import orrery.query.syntax.Query;
import orrery.query.syntax.QueryError;
import orrery.query.syntax.Scalar;
import orrery.query.syntax.Selection;
import orrery.query.syntax.Source;

/**
 * Makes the plan of one query. The rules are the service's: SDKs rely on the very shapes of the
 * rows that a rewritten query returns.
 */
public final class QueryPlanner {
    private static final String ITEM = "item";
    private static final String MORE_OF_ITEM = "item2";
    private static final String PAYLOAD = "payload";

    private final Query query;
    private final Evaluator evaluator;
    private final Encoding encoding;
    private final Set<PlanFeature> supported;
    private final Set<PlanFeature> needed = EnumSet.noneOf(PlanFeature.class);

    private QueryPlanner(
            Query query, Evaluator evaluator, Encoding encoding, Set<PlanFeature> supported) {
        this.query = query;
        this.evaluator = evaluator;
        this.encoding = encoding;
        this.supported = supported;
    }

    /**
     * Throws BAD_REQUEST where the query needs what the client cannot do, or what nobody can do
     * across ranges.
     *
     * @param encoding of the container's items
     * @param supported what the one who merges can do
     */
    public static QueryPlan plan(
            Query query,
            Evaluator evaluator,
            PartitionKeyDefinition definition,
            Encoding encoding,
            Set<PlanFeature> supported) {
        QueryPlanner planner = new QueryPlanner(query, evaluator, encoding, supported);
        QueryPlan plan =
                planner.plan(KeyFilter.keys(query, evaluator, definition, encoding), definition);
        PlanFeature.require(supported, planner.needed);
        return plan;
    }

    private QueryPlan plan(Optional<List<PartitionKey>> keys, PartitionKeyDefinition definition) {
        if (query.from().isEmpty()) {
            return new Draft(keys, Distinct.NONE).unchanged();
        }
        Optional<Query> counted = countedDistinct();
        if (counted.isPresent()) {
            return distinctCount(counted.get(), definition);
        }
        Draft draft = new Draft(keys, distinct());
        draft.top = query.top().map(this::count).map(OptionalLong::of).orElse(OptionalLong.empty());
        query.window()
                .ifPresent(
                        window -> {
                            draft.offset = OptionalLong.of(count(window.offset()));
                            draft.limit = OptionalLong.of(count(window.limit()));
                        });
        note(query.distinct(), PlanFeature.DISTINCT);
        note(draft.top.isPresent(), PlanFeature.TOP);
        if (!query.groupBy().isEmpty()) {
            if (query.orderBy().isPresent()) {
                return sortedGroups(draft, definition);
            }
            note(true, PlanFeature.GROUP_BY);
            note(draft.offset.isPresent(), PlanFeature.OFFSET_AND_LIMIT);
            return grouped(draft);
        }
        if (query.isGrouped()) {
            note(draft.offset.isPresent(), PlanFeature.OFFSET_AND_LIMIT);
            return aggregated(draft);
        }
        if (query.orderBy().isPresent()) {
            note(draft.offset.isPresent(), PlanFeature.OFFSET_AND_LIMIT);
            return ordered(draft, query.orderBy().get());
        }
        if (query.window().isPresent()) {
            return window(draft, definition);
        }
        boolean isChanged = query.distinct() && query.top().isPresent();
        return isChanged
                ? draft.rewritten(withCounts(Optional.empty(), Optional.empty()))
                : draft.unchanged();
    }

    private void note(boolean isNeeded, PlanFeature feature) {
        if (isNeeded) {
            needed.add(feature);
        }
    }

    /** Each range must be asked for as many as there may be to skip, and skip none. */
    private QueryPlan window(Draft draft, PartitionKeyDefinition definition) {
        if (!query.distinct() && isOneKey(draft.keys, definition)) {
            draft.offset = OptionalLong.empty();
            draft.limit = OptionalLong.empty();
            return draft.unchanged();
        }
        note(true, PlanFeature.OFFSET_AND_LIMIT);
        return draft.rewritten(
                withCounts(query.distinct() ? Optional.empty() : query.top(), wide(draft)));
    }

    private static boolean isOneKey(
            Optional<List<PartitionKey>> keys, PartitionKeyDefinition definition) {
        return keys.isPresent()
                && keys.get().size() == 1
                && keys.get().getFirst().components().size() == definition.paths().size();
    }

    private Optional<Query.Window> wide(Draft draft) {
        return query.distinct() || draft.offset.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new Query.Window(
                                constant(0),
                                constant(draft.offset.getAsLong() + draft.limit.getAsLong())));
    }

    private Query withCounts(Optional<Scalar> top, Optional<Query.Window> window) {
        return new Query(
                query.distinct(),
                top,
                query.selection(),
                query.from(),
                query.where(),
                query.groupBy(),
                query.orderBy(),
                window);
    }

    // ---- ORDER BY ------------------------------------------------------------------------------

    private QueryPlan ordered(Draft draft, Ordering ordering) {
        note(true, PlanFeature.ORDER_BY);
        note(ordering.items().size() > 1, PlanFeature.MULTIPLE_ORDER_BY);
        List<Scalar> keys = new ArrayList<>();
        for (Ordering.Item item : ordering.items()) {
            keys.add(wrapped(ITEM, item.value()));
            draft.orderBy.add(
                    new QueryPlan.Sort(QueryPrinter.print(item.value()), item.descending()));
        }
        Scalar root = root();
        Scalar payload = payload(root);
        Selection selection =
                new Selection.Items(
                        List.of(
                                new Selection.Item("_rid", new Scalar.Property(root, "_rid")),
                                new Selection.Item("orderByItems", new Scalar.ArrayOf(keys)),
                                new Selection.Item(PAYLOAD, payload)));
        String where = "(" + QueryPlan.FILTER + ")";
        if (query.where().isPresent()) {
            where = "(" + QueryPrinter.print(query.where().get()) + " AND " + where + ")";
        }
        if (query.selection() instanceof Selection.Bare) {
            where = "(" + where + " AND IS_DEFINED(" + QueryPrinter.print(payload) + "))";
        }
        Query rewritten =
                new Query(
                        false,
                        query.distinct() ? Optional.empty() : query.top(),
                        selection,
                        query.from(),
                        Optional.empty(),
                        List.of(),
                        query.orderBy(),
                        wide(draft));
        return draft.rewritten(QueryPrinter.print(rewritten, Optional.of(where)));
    }

    /** The source that the item itself is bound to, or the first if it is only a part of one. */
    private Scalar root() {
        return query.from()
                .getFirst()
                .alias()
                .<Scalar>map(Scalar.Reference::new)
                .orElseThrow(
                        () ->
                                QueryError.engine(
                                        "ORDER BY across partitions needs an alias in the FROM"
                                                + " clause."));
    }

    private Scalar payload(Scalar root) {
        return switch (query.selection()) {
            case Selection.Everything _ -> root;
            case Selection.Bare(Scalar value) -> value;
            case Selection.Items(List<Selection.Item> items) ->
                    new Scalar.ObjectOf(
                            items.stream()
                                    .map(item -> new Scalar.Member(item.name(), item.value()))
                                    .toList());
        };
    }

    // ---- Aggregates ----------------------------------------------------------------------------

    private QueryPlan aggregated(Draft draft) {
        Selection selection =
                switch (query.selection()) {
                    case Selection.Bare(Scalar value) -> {
                        note(true, PlanFeature.AGGREGATE);
                        Scalar.Call call = aggregate(value).orElseThrow(QueryPlanner::composed);
                        draft.aggregates.add(call.function());
                        yield new Selection.Bare(new Scalar.ArrayOf(List.of(partial(call))));
                    }
                    case Selection.Items(List<Selection.Item> items) -> {
                        note(true, PlanFeature.NON_VALUE_AGGREGATE);
                        yield new Selection.Items(
                                List.of(new Selection.Item(PAYLOAD, partials(items, draft))));
                    }
                    case Selection.Everything _ ->
                            throw new IllegalStateException("no aggregate in *");
                };
        return draft.rewritten(
                new Query(
                        false,
                        Optional.empty(),
                        selection,
                        query.from(),
                        query.where(),
                        List.of(),
                        query.orderBy(),
                        Optional.empty()));
    }

    private QueryPlan grouped(Draft draft) {
        List<Scalar> keys = new ArrayList<>();
        for (Scalar key : query.groupBy()) {
            keys.add(wrapped(ITEM, key));
            draft.groupBy.add(QueryPrinter.print(key));
        }
        Scalar payload =
                switch (query.selection()) {
                    case Selection.Bare(Scalar value) -> {
                        Optional<Scalar.Call> call = aggregate(value);
                        call.ifPresent(each -> draft.aggregates.add(each.function()));
                        yield call.<Scalar>map(each -> new Scalar.ArrayOf(List.of(partial(each))))
                                .orElse(value);
                    }
                    case Selection.Items(List<Selection.Item> items) -> partials(items, draft);
                    case Selection.Everything _ ->
                            throw new IllegalStateException("the parser let GROUP BY with * pass");
                };
        Selection selection =
                new Selection.Items(
                        List.of(
                                new Selection.Item("groupByItems", new Scalar.ArrayOf(keys)),
                                new Selection.Item(PAYLOAD, payload)));
        return draft.rewritten(
                new Query(
                        false,
                        Optional.empty(),
                        selection,
                        query.from(),
                        query.where(),
                        query.groupBy(),
                        Optional.empty(),
                        Optional.empty()));
    }

    /** Clients keep no order of groups, but the groups of one key come from one range. */
    private QueryPlan sortedGroups(Draft draft, PartitionKeyDefinition definition) {
        if (!isOneKey(draft.keys, definition)) {
            throw QueryError.engine(
                    "'ORDER BY' is not supported together with 'GROUP BY' across partitions by a"
                            + " client that merges. Give the partition key with the request.");
        }
        draft.offset = OptionalLong.empty();
        draft.limit = OptionalLong.empty();
        return draft.unchanged();
    }

    private Scalar partials(List<Selection.Item> items, Draft draft) {
        List<Scalar.Member> members = new ArrayList<>();
        for (Selection.Item item : items) {
            Optional<Scalar.Call> call = aggregate(item.value());
            draft.groupAliases.add(item.name());
            draft.aggregateOf.put(item.name(), call.map(Scalar.Call::function));
            members.add(
                    new Scalar.Member(
                            item.name(), call.<Scalar>map(this::partial).orElse(item.value())));
        }
        return new Scalar.ObjectOf(members);
    }

    /** The aggregate that an expression is; a mixture of one with others cannot be merged. */
    private static Optional<Scalar.Call> aggregate(Scalar value) {
        if (value instanceof Scalar.Call call && call.function().isAggregate()) {
            return Optional.of(call);
        }
        if (hasAggregate(value)) {
            throw composed();
        }
        return Optional.empty();
    }

    private static RuntimeException composed() {
        return QueryError.engine(
                "Compositions of aggregates and other expressions are not allowed.");
    }

    /**
     * Returns the expression that a range answers for an aggregate, so that answers can be merged.
     */
    private Scalar partial(Scalar.Call call) {
        List<Scalar> arguments = call.arguments();
        Scalar counted = new Scalar.Call(BuiltIn.COUNT, arguments);
        return switch (call.function()) {
            case AVG ->
                    wrapped(
                            ITEM,
                            new Scalar.ObjectOf(
                                    List.of(
                                            new Scalar.Member(
                                                    "sum", new Scalar.Call(BuiltIn.SUM, arguments)),
                                            new Scalar.Member("count", counted))));
            case MIN, MAX ->
                    new Scalar.ObjectOf(
                            List.of(
                                    new Scalar.Member(ITEM, call),
                                    new Scalar.Member(
                                            MORE_OF_ITEM,
                                            new Scalar.ObjectOf(
                                                    List.of(
                                                            new Scalar.Member(
                                                                    call.function() == BuiltIn.MIN
                                                                            ? "min"
                                                                            : "max",
                                                                    call),
                                                            new Scalar.Member(
                                                                    "count", counted))))));
            default -> {
                note(call.function() == BuiltIn.COUNTIF, PlanFeature.COUNT_IF);
                note(
                        call.function() == BuiltIn.MAKELIST || call.function() == BuiltIn.MAKESET,
                        PlanFeature.LIST_AND_SET_AGGREGATE);
                yield wrapped(ITEM, call);
            }
        };
    }

    private static Scalar wrapped(String name, Scalar value) {
        return new Scalar.ObjectOf(List.of(new Scalar.Member(name, value)));
    }

    private static boolean hasAggregate(Scalar value) {
        if (value instanceof Scalar.Call(BuiltIn function, _) && function.isAggregate()) {
            return true;
        }
        for (Scalar child : value.children()) {
            if (hasAggregate(child)) {
                return true;
            }
        }
        return false;
    }

    // ---- DISTINCT ------------------------------------------------------------------------------

    private Distinct distinct() {
        if (!query.distinct()) {
            return Distinct.NONE;
        }
        return query.isSortedByResult() ? Distinct.ORDERED : Distinct.UNORDERED;
    }

    /** The inner query of {@code SELECT COUNT(1) FROM (SELECT DISTINCT ...)}. */
    private Optional<Query> countedDistinct() {
        boolean isCount =
                switch (query.selection()) {
                    case Selection.Bare(Scalar value) -> countsRows(value);
                    case Selection.Items(List<Selection.Item> items) ->
                            items.size() == 1 && countsRows(items.getFirst().value());
                    case Selection.Everything _ -> false;
                };
        return isCount
                        && supported.contains(PlanFeature.DISTINCT_COUNT)
                        && query.from().size() == 1
                        && query.where().isEmpty()
                        && query.groupBy().isEmpty()
                        && query.from().getFirst()
                                instanceof Source.Bound(_, Source.Collection.Results(Query inner))
                        && inner.distinct()
                        && !inner.isGrouped()
                ? Optional.of(inner)
                : Optional.empty();
    }

    private static boolean countsRows(Scalar value) {
        return value instanceof Scalar.Call(BuiltIn function, List<Scalar> arguments)
                && function == BuiltIn.COUNT
                && arguments.getFirst() instanceof Scalar.Constant(Value constant)
                && constant.isDefined();
    }

    private QueryPlan distinctCount(Query inner, PartitionKeyDefinition definition) {
        note(true, PlanFeature.DISTINCT);
        note(true, PlanFeature.DISTINCT_COUNT);
        Draft draft =
                new Draft(
                        KeyFilter.keys(inner, evaluator, definition, encoding), Distinct.UNORDERED);
        draft.distinctCount =
                Optional.of(
                        query.selection() instanceof Selection.Items(List<Selection.Item> items)
                                ? items.getFirst().name()
                                : "");
        return draft.rewritten(inner);
    }

    // ---- Counts --------------------------------------------------------------------------------

    private long count(Scalar scalar) {
        if (evaluator.evaluate(scalar, Bindings.empty()) instanceof Value.Int(long count)
                && count >= 0
                && count <= Integer.MAX_VALUE) {
            return count;
        }
        throw QueryError.engine(
                "The count of a TOP, OFFSET or LIMIT clause must be an integer from 0 to "
                        + Integer.MAX_VALUE
                        + ".");
    }

    private static Scalar constant(long value) {
        return new Scalar.Constant(Value.of(value));
    }

    /** A plan in the making. */
    private final class Draft {
        private final Optional<List<PartitionKey>> keys;
        private final Distinct distinct;
        private OptionalLong top = OptionalLong.empty();
        private OptionalLong offset = OptionalLong.empty();
        private OptionalLong limit = OptionalLong.empty();
        private final List<QueryPlan.Sort> orderBy = new ArrayList<>();
        private final List<String> groupBy = new ArrayList<>();
        private final List<String> groupAliases = new ArrayList<>();
        private final List<BuiltIn> aggregates = new ArrayList<>();
        private final Map<String, Optional<BuiltIn>> aggregateOf = new LinkedHashMap<>();
        private Optional<String> distinctCount = Optional.empty();

        Draft(Optional<List<PartitionKey>> keys, Distinct distinct) {
            this.keys = keys;
            this.distinct = distinct;
        }

        QueryPlan unchanged() {
            return rewritten("");
        }

        QueryPlan rewritten(Query text) {
            return rewritten(QueryPrinter.print(text));
        }

        QueryPlan rewritten(String text) {
            return new QueryPlan(
                    keys,
                    distinct,
                    top,
                    offset,
                    limit,
                    orderBy,
                    groupBy,
                    groupAliases,
                    aggregates,
                    aggregateOf,
                    text,
                    query.selection() instanceof Selection.Bare,
                    distinctCount);
        }
    }
}
