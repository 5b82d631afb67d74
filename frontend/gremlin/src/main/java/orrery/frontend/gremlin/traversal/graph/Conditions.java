package orrery.frontend.gremlin.traversal.graph;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import orrery.document.Value;
import orrery.query.syntax.BuiltIn;
import orrery.query.syntax.Query;
import orrery.query.syntax.Scalar;
import orrery.query.syntax.Selection;
import orrery.query.syntax.Source;

/** Makes queries over the items of a graph, as trees. */
final class Conditions {
    private static final String ITEM = "c";

    private Conditions() {}

    static Query items(List<Scalar> conditions) {
        return query(new Selection.Everything(), conditions);
    }

    static Query count(List<Scalar> conditions) {
        return query(
                new Selection.Bare(
                        new Scalar.Call(BuiltIn.COUNT, List.of(new Scalar.Constant(Value.of(1))))),
                conditions);
    }

    private static Query query(Selection selection, List<Scalar> conditions) {
        return new Query(
                false,
                Optional.empty(),
                selection,
                List.of(
                        new Source.Bound(
                                Optional.of(ITEM),
                                new Source.Collection.Single(new Scalar.Item()))),
                conditions.isEmpty() ? Optional.empty() : Optional.of(all(conditions)),
                List.of(),
                Optional.empty(),
                Optional.empty());
    }

    static Scalar property(String name) {
        return new Scalar.Property(new Scalar.Reference(ITEM), name);
    }

    static Scalar isVertex() {
        return not(new Scalar.Call(BuiltIn.IS_DEFINED, List.of(property(GraphSchema.IS_EDGE))));
    }

    static Scalar isEdge() {
        return equal(property(GraphSchema.IS_EDGE), Value.of(true));
    }

    /** Holds for an item whose property has an element for which the condition on it holds. */
    static Scalar anyElement(String property, String alias, Scalar condition) {
        return new Scalar.Subquery(
                Scalar.SubqueryKind.EXISTS,
                new Query(
                        false,
                        Optional.empty(),
                        new Selection.Bare(new Scalar.Constant(Value.of(1))),
                        List.of(
                                new Source.Iterated(
                                        alias, new Source.Collection.Single(property(property)))),
                        Optional.of(condition),
                        List.of(),
                        Optional.empty(),
                        Optional.empty()));
    }

    static Scalar equal(Scalar path, Value value) {
        return new Scalar.Infix(Scalar.InfixOperator.EQUAL, path, new Scalar.Constant(value));
    }

    static Scalar in(Scalar path, Collection<? extends Value> values) {
        return switch (values.size()) {
            case 0 -> new Scalar.Constant(Value.of(false));
            case 1 -> equal(path, values.iterator().next());
            default ->
                    new Scalar.In(path, values.stream().<Scalar>map(Scalar.Constant::new).toList());
        };
    }

    static Scalar inTexts(Scalar path, Stream<String> texts) {
        return in(path, texts.distinct().map(Value::of).toList());
    }

    static Scalar all(List<Scalar> conditions) {
        return conditions.size() == 1 ? conditions.getFirst() : new Scalar.And(conditions);
    }

    static Scalar any(List<Scalar> conditions) {
        return conditions.size() == 1 ? conditions.getFirst() : new Scalar.Or(conditions);
    }

    static Scalar not(Scalar condition) {
        return new Scalar.Prefix(Scalar.PrefixOperator.NOT, condition);
    }

    static List<Scalar> both(List<Scalar> some, List<Scalar> others) {
        List<Scalar> together = new ArrayList<>(some);
        together.addAll(others);
        return together;
    }
}
