package orrery.query.naive;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import orrery.document.Value;
import orrery.model.ContainerDefinition.Geospatial;
import orrery.query.dialect.RowLimit;
import orrery.query.evaluate.Aggregation;
import orrery.query.evaluate.Bindings;
import orrery.query.evaluate.ComputedProperties;
import orrery.query.evaluate.Evaluator;
import orrery.query.evaluate.Expression;
import orrery.query.evaluate.Groups;
import orrery.query.evaluate.LimitClauses;
import orrery.query.evaluate.Projection;
import orrery.query.evaluate.Rows;
import orrery.query.evaluate.UserFunctions;
import orrery.query.evaluate.ValueOrder;
import orrery.query.syntax.Ordering;
import orrery.query.syntax.Query;

/**
 * Evaluates a whole query over a list of items, clause by clause in the order of their meaning:
 * FROM, WHERE, GROUP BY, ORDER BY, SELECT, DISTINCT, OFFSET, LIMIT. Keeps everything in memory.
 * Items with equal sort keys stay in the order given, in both directions.
 */
public final class NaiveQuery {
    private NaiveQuery() {}

    public static List<Value> evaluate(
            Query query, Map<String, Value> parameters, List<Value> items) {
        return evaluate(query, parameters, items, InstantSource.system(), ComputedProperties.NONE);
    }

    public static List<Value> evaluate(
            Query query,
            Map<String, Value> parameters,
            List<Value> items,
            InstantSource clock,
            ComputedProperties computed) {
        if (query.derived().isPresent()) {
            List<Value> results =
                    evaluate(query.derived().get(), parameters, items, clock, computed);
            return evaluate(
                    query.overDerived(), parameters, results, clock, ComputedProperties.NONE);
        }
        Evaluator evaluator =
                new Evaluator(
                        new HashMap<>(parameters),
                        clock,
                        Geospatial.GEOGRAPHY,
                        UserFunctions.NONE,
                        computed);
        RowLimit limit = LimitClauses.of(evaluator, query);
        List<Bindings> rows = rows(evaluator, query, items);
        List<Value> results = new ArrayList<>();
        if (query.isGrouped()) {
            Groups groups = new Aggregation(evaluator, query).start();
            rows.forEach(groups::add);
            groups.results().forEachRemaining(results::add);
        } else {
            query.orderBy().ifPresent(ordering -> sort(evaluator, rows, ordering));
            Projection projection = new Projection(evaluator, query);
            rows.forEach(row -> projection.apply(row).ifPresent(results::add));
        }
        if (query.distinct()) {
            TreeSet<Value> seen = new TreeSet<>(ValueOrder.INSTANCE);
            results.removeIf(result -> !seen.add(result));
        }
        return results.stream().skip(limit.skip()).limit(limit.take()).toList();
    }

    private static List<Bindings> rows(Evaluator evaluator, Query query, List<Value> items) {
        Rows sources = new Rows(evaluator, query.from(), query.where());
        List<Bindings> rows = new ArrayList<>();
        // Without FROM there is one row, whatever the container holds.
        List<Value> origins = query.from().isEmpty() ? List.of(Value.Undefined.UNDEFINED) : items;
        for (Value item : origins) {
            Iterator<Bindings> made = sources.of(item);
            while (made.hasNext()) {
                Bindings row = made.next();
                if (sources.accepts(row)) {
                    rows.add(row);
                }
            }
        }
        return rows;
    }

    private static void sort(Evaluator evaluator, List<Bindings> rows, Ordering ordering) {
        Optional<Comparator<Bindings>> order =
                ordering.items().stream()
                        .map(
                                item -> {
                                    Expression key = evaluator.compile(item.value());
                                    Comparator<Bindings> byKey =
                                            Comparator.comparing(
                                                    key::evaluate, ValueOrder.INSTANCE);
                                    return item.descending() ? byKey.reversed() : byKey;
                                })
                        .reduce(Comparator::thenComparing);
        order.ifPresent(rows::sort);
    }
}
