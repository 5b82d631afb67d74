package orrery.query.evaluate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.Value;
import orrery.query.syntax.BuiltIn;
import orrery.query.syntax.Ordering;
import orrery.query.syntax.Query;
import orrery.query.syntax.Scalar;

/**
 * GROUP BY and aggregate functions of one query, made ready to run. Aggregates may stand anywhere
 * in the SELECT list, also inside objects, arrays and operators: rewritten queries have them there.
 * Safe to share; each run has its own {@link Groups}.
 */
public final class Aggregation {
    private static final Comparator<Value> VALUES = ValueOrder.INSTANCE;

    private final Expression[] keys;
    private final BuiltIn[] functions;
    private final Expression[] inputs;
    private final String groupAlias;
    private final Projection projection;
    private final Optional<Comparator<List<Value>>> order;
    private final Comparator<List<Value>> wholeOrder;

    public Aggregation(Evaluator evaluator, Query query) {
        this(new Compiler(evaluator), query);
    }

    Aggregation(Compiler compiler, Query query) {
        this.groupAlias = compiler.groupAlias();
        this.keys = new Expression[query.groupBy().size()];
        Map<Scalar, Expression> substitutes = new LinkedHashMap<>();
        for (int i = 0; i < keys.length; i++) {
            keys[i] = compiler.compile(query.groupBy().get(i));
            substitutes.putIfAbsent(query.groupBy().get(i), slot(i));
        }
        List<BuiltIn> foundFunctions = new ArrayList<>();
        List<Expression> foundInputs = new ArrayList<>();
        for (Scalar.Call aggregate : query.aggregates()) {
            if (!substitutes.containsKey(aggregate)) {
                substitutes.put(aggregate, slot(keys.length + foundFunctions.size()));
                foundFunctions.add(aggregate.function());
                foundInputs.add(compiler.compile(aggregate.arguments().getFirst()));
            }
        }
        this.functions = foundFunctions.toArray(BuiltIn[]::new);
        this.inputs = foundInputs.toArray(Expression[]::new);
        this.projection = new Projection(compiler.substituting(substitutes), query);
        this.order = order(query);
        Comparator<List<Value>> byKeys = Aggregation::compareKeys;
        this.wholeOrder = order.map(first -> first.thenComparing(byKeys)).orElse(byKeys);
    }

    /** The order of groups by their keys; without GROUP BY there is one group and no order. */
    private static Optional<Comparator<List<Value>>> order(Query query) {
        Optional<Comparator<List<Value>>> order = Optional.empty();
        if (query.groupBy().isEmpty() || query.orderBy().isEmpty()) {
            return order;
        }
        for (Ordering.Item item : query.orderBy().get().items()) {
            int at = query.groupBy().indexOf(item.value());
            Comparator<List<Value>> byKey = Comparator.comparing(keys -> keys.get(at), VALUES);
            Comparator<List<Value>> next = item.descending() ? byKey.reversed() : byKey;
            order = Optional.of(order.map(all -> all.thenComparing(next)).orElse(next));
        }
        return order;
    }

    /** A group is one binding: an array of its keys and then of its results. */
    private Expression slot(int at) {
        return row -> ((Value.Array) row.get(groupAlias)).elements().get(at);
    }

    /** A run that has seen no rows yet. */
    public Groups start() {
        return start(Bindings.empty());
    }

    Groups start(Bindings outer) {
        return new Groups(this, outer);
    }

    /** Sorts groups by all of their keys, after the order that the query asks for. */
    Comparator<List<Value>> wholeOrder() {
        return wholeOrder;
    }

    private static int compareKeys(List<Value> left, List<Value> right) {
        for (int i = 0; i < left.size(); i++) {
            int order = VALUES.compare(left.get(i), right.get(i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    /** Sorts groups by the values of their keys, if they are sorted. */
    Optional<Comparator<List<Value>>> order() {
        return order;
    }

    Expression[] keys() {
        return keys;
    }

    Accumulator[] newAccumulators() {
        Accumulator[] accumulators = new Accumulator[functions.length];
        for (int i = 0; i < accumulators.length; i++) {
            accumulators[i] = Accumulator.of(functions[i]);
        }
        return accumulators;
    }

    Expression[] inputs() {
        return inputs;
    }

    Value project(List<Value> keysAndResults, Bindings outer) {
        return projection.evaluate(outer.with(groupAlias, new Value.Array(keysAndResults)));
    }
}
