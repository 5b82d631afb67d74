package orrery.query.syntax;

import java.util.List;

/** What a row becomes. */
public sealed interface Selection {
    /** {@code *}: the value of the only source. */
    record Everything() implements Selection {}

    /** {@code VALUE e}: the value itself; no row where it is undefined. */
    record Bare(Scalar value) implements Selection {}

    /** An object of named values; the undefined ones are left out. */
    record Items(List<Item> items) implements Selection {
        public Items {
            items = List.copyOf(items);
        }
    }

    /**
     * @param name as given, or the last name of a path, or {@code $1}, {@code $2}, ...
     */
    record Item(String name, Scalar value) {}
}
