package orrery.query.sql;

import java.util.List;
import java.util.Optional;
import orrery.document.Value;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.query.evaluate.Bindings;
import orrery.query.evaluate.Evaluator;
import orrery.query.evaluate.Expression;
import orrery.query.syntax.Scalar;
import orrery.query.syntax.Source;

/** A WHERE over the plainest FROM, a single name for the item: each item is one row or none. */
final class ItemFilter {
    private final String alias;
    private final Optional<Expression> where;

    private ItemFilter(String alias, Optional<Expression> where) {
        this.alias = alias;
        this.where = where;
    }

    /** Fails with NOT_IMPLEMENTED for any other FROM and for what cannot be evaluated yet. */
    static ItemFilter of(List<Source> from, Optional<Scalar> where, Evaluator evaluator) {
        return new ItemFilter(requireAlias(from), where.map(evaluator::compile));
    }

    /** Returns the name of the item. Fails with NOT_IMPLEMENTED if FROM has more than that. */
    static String requireAlias(List<Source> from) {
        if (from.size() == 1
                && from.getFirst()
                        instanceof
                        Source.Bound(
                                Optional<String> alias,
                                Source.Collection.Single(Scalar.Item()))
                && alias.isPresent()) {
            return alias.get();
        }
        throw new OrreryException(
                ErrorCode.NOT_IMPLEMENTED,
                "This version evaluates only queries with a FROM that names the container and"
                        + " nothing else.");
    }

    /** The row of an item, if it stays. */
    Optional<Bindings> apply(Value.Obj item) {
        Bindings row = Bindings.of(item).with(alias, item);
        return where.isEmpty() || where.get().accepts(row) ? Optional.of(row) : Optional.empty();
    }
}
