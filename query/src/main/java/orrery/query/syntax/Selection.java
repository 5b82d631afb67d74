package orrery.query.syntax;

import java.util.List;

/** The result that a row becomes. */
public sealed interface Selection {
    /** The expressions written in it. */
    default List<Scalar> values() {
        return switch (this) {
            case Everything _ -> List.of();
            case Bare(Scalar value) -> List.of(value);
            case Items(List<Item> items) -> items.stream().map(Item::value).toList();
        };
    }

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
