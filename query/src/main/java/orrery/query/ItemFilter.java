package orrery.query;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.Value;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.query.evaluate.Bindings;
import orrery.query.evaluate.Evaluator;
import orrery.query.syntax.Scalar;
import orrery.query.syntax.Source;

/** A WHERE over the plainest FROM, a single name for the item: each item is one row or none. */
final class ItemFilter {
    private final String alias;
    private final Optional<Scalar> where;
    private final Evaluator evaluator;

    private ItemFilter(String alias, Optional<Scalar> where, Evaluator evaluator) {
        this.alias = alias;
        this.where = where;
        this.evaluator = evaluator;
    }

    /** Fails with NOT_IMPLEMENTED for any other FROM and for what cannot be evaluated yet. */
    static ItemFilter of(List<Source> from, Optional<Scalar> where, Map<String, Value> parameters) {
        String alias =
                findAlias(from)
                        .orElseThrow(
                                () ->
                                        new OrreryException(
                                                ErrorCode.NOT_IMPLEMENTED,
                                                "This version evaluates only queries with a FROM"
                                                        + " that names the container and nothing"
                                                        + " else."));
        where.ifPresent(Evaluator::requireSupported);
        return new ItemFilter(alias, where, new Evaluator(parameters));
    }

    /** The name of the item, if FROM has no other source and no path. */
    static Optional<String> findAlias(List<Source> from) {
        return from.size() == 1
                        && from.getFirst()
                                instanceof
                                Source.Bound(
                                        Optional<String> alias,
                                        Source.Collection.Single(Scalar.Item()))
                ? alias
                : Optional.empty();
    }

    String alias() {
        return alias;
    }

    Evaluator evaluator() {
        return evaluator;
    }

    /** The row of an item, if it stays. */
    Optional<Bindings> apply(Value.Obj item) {
        Bindings row = Bindings.of(item).with(alias, item);
        return where.isEmpty() || evaluator.accepts(where.get(), row)
                ? Optional.of(row)
                : Optional.empty();
    }
}
