package orrery.query.syntax;

/**
 * Counts the nodes of a syntax tree: every expression, wherever it stands. Making a query ready
 * takes time and memory in proportion to them.
 */
public final class SyntaxSize {
    private int nodes;

    private SyntaxSize() {}

    public static int of(Query query) {
        SyntaxSize size = new SyntaxSize();
        size.visit(query);
        return size.nodes;
    }

    static int of(Condition condition) {
        SyntaxSize size = new SyntaxSize();
        condition.from().forEach(source -> size.visit(source.collection()));
        condition.where().ifPresent(size::visit);
        return size.nodes;
    }

    static int of(Scalar scalar) {
        SyntaxSize size = new SyntaxSize();
        size.visit(scalar);
        return size.nodes;
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
        nodes++;
        if (scalar instanceof Scalar.Subquery(_, Query inner)) {
            visit(inner);
        }
        // No stream: it would take too much stack in a deep expression.
        for (Scalar child : scalar.children()) {
            visit(child);
        }
    }
}
