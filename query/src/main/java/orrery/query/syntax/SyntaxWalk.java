package orrery.query.syntax;

import java.util.function.Consumer;

/** Shows a visitor every expression of a syntax tree, with those of inner queries. */
final class SyntaxWalk {
    private final Consumer<Scalar> visitor;

    SyntaxWalk(Consumer<Scalar> visitor) {
        this.visitor = visitor;
    }

    void visit(Query query) {
        query.top().ifPresent(this::visit);
        query.selection().values().forEach(this::visit);
        query.from().forEach(source -> visit(source.collection()));
        query.where().ifPresent(this::visit);
        query.groupBy().forEach(this::visit);
        query.orderBy().ifPresent(order -> order.items().forEach(item -> visit(item.value())));
    }

    void visit(Condition condition) {
        condition.from().forEach(source -> visit(source.collection()));
        condition.where().ifPresent(this::visit);
    }

    private void visit(Source.Collection collection) {
        switch (collection) {
            case Source.Collection.Single(Scalar value) -> visit(value);
            case Source.Collection.Results(Query inner) -> visit(inner);
        }
    }

    void visit(Scalar scalar) {
        visitor.accept(scalar);
        if (scalar instanceof Scalar.Subquery(_, Query inner)) {
            visit(inner);
        }
        // A stream would take too much stack in a deep expression.
        for (Scalar child : scalar.children()) {
            visit(child);
        }
    }
}
