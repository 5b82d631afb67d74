package orrery.query.syntax;

import java.util.List;
import java.util.Optional;

/**
 * Checks the ORDER BY clause: rows can be sorted by paths of the item, which an index has in order.
 */
final class OrderRule {
    enum Outcome {
        ALLOWED,
        NO_PATH,
        CORRELATED
    }

    private OrderRule() {}

    static Outcome check(Scalar item, List<Source> from) {
        Scalar base = item;
        while (true) {
            switch (base) {
                case Scalar.Property(Scalar next, _) -> base = next;
                case Scalar.Index(Scalar next, Scalar index) when index.isConstant() -> base = next;
                case Scalar.Reference(String alias) -> {
                    Outcome outcome = source(alias, from);
                    // A whole item is no path of it.
                    return base == item && outcome == Outcome.ALLOWED ? Outcome.NO_PATH : outcome;
                }
                case Scalar.Call(BuiltIn function, _) when function == BuiltIn.VECTORDISTANCE -> {
                    return base == item ? Outcome.ALLOWED : Outcome.NO_PATH;
                }
                default -> {
                    return Outcome.NO_PATH;
                }
            }
        }
    }

    private static Outcome source(String alias, List<Source> from) {
        for (int i = 0; i < from.size(); i++) {
            if (from.get(i).alias().equals(Optional.of(alias))) {
                return i == 0 && from.get(i) instanceof Source.Bound
                        ? collection(from.get(i).collection())
                        : Outcome.CORRELATED;
            }
        }
        return Outcome.NO_PATH;
    }

    private static Outcome collection(Source.Collection collection) {
        return collection instanceof Source.Collection.Single(Scalar value)
                        && !(value instanceof Scalar.Call)
                ? Outcome.ALLOWED
                : Outcome.NO_PATH;
    }
}
