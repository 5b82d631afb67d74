package orrery.query.evaluate;

import orrery.document.Value;

/**
 * An expression made ready to run: parameters bound, constants folded, patterns compiled. Safe to
 * share between threads.
 */
@FunctionalInterface
public interface Expression {
    Value evaluate(Bindings row);

    /** Returns true if a row stays: the filter must be exactly true. */
    default boolean accepts(Bindings row) {
        return Operators.isTrue(evaluate(row));
    }

    /** The same value for every row. */
    record Constant(Value value) implements Expression {
        @Override
        public Value evaluate(Bindings row) {
            return value;
        }
    }
}
