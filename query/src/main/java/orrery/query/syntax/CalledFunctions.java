package orrery.query.syntax;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Finds the functions of users that a query calls, wherever it does. */
public final class CalledFunctions {
    private final Set<String> names = new TreeSet<>();

    private CalledFunctions() {}

    /** Their names, without the {@code udf.} before them. */
    public static Set<String> of(Query query) {
        CalledFunctions found = new CalledFunctions();
        found.visit(query);
        return found.names;
    }

    private void visit(Query query) {
        query.top().ifPresent(this::visit);
        query.selection().values().forEach(this::visit);
        query.from().forEach(source -> visit(source.collection()));
        query.where().ifPresent(this::visit);
        query.groupBy().forEach(this::visit);
        query.orderBy().ifPresent(order -> order.items().forEach(item -> visit(item.value())));
    }

    private void visit(Source.Collection collection) {
        switch (collection) {
            case Source.Collection.Single(Scalar value) -> visit(value);
            case Source.Collection.Results(Query inner) -> visit(inner);
        }
    }

    private void visit(Scalar scalar) {
        switch (scalar) {
            case Scalar.UdfCall(String name, _) -> names.add(name);
            case Scalar.Subquery(_, Query inner) -> visit(inner);
            default -> {}
        }
        // No stream: it would take too much stack in a deep expression.
        List<Scalar> children = scalar.children();
        for (Scalar child : children) {
            visit(child);
        }
    }
}
