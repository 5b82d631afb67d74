package orrery.query.syntax;

import java.util.Optional;

/** One source of rows in FROM or JOIN. A source that yields nothing drops the row before it. */
public sealed interface Source {
    /** Empty where nothing can refer to the rows, as with {@code FROM c[0]}. */
    Optional<String> alias();

    Collection collection();

    /** One row for each value of the collection. */
    record Bound(Optional<String> alias, Collection collection) implements Source {}

    /** {@code x IN collection}: one row for each element of each array; other values give none. */
    record Iterated(String name, Collection collection) implements Source {
        @Override
        public Optional<String> alias() {
            return Optional.of(name);
        }
    }

    /** The source of the values. */
    sealed interface Collection {
        /** One value, or none where it is undefined: a path or a function call. */
        record Single(Scalar value) implements Collection {}

        /** The results of a subquery. */
        record Results(Query query) implements Collection {}
    }
}
