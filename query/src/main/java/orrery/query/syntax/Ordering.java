package orrery.query.syntax;

import java.util.List;

/** An ORDER BY clause. */
public sealed interface Ordering {
    List<Item> items();

    record ByValue(List<Item> items) implements Ordering {
        public ByValue {
            items = List.copyOf(items);
        }
    }

    /** ORDER BY RANK: by scores of text and vector search. */
    record ByRank(List<Item> items) implements Ordering {
        public ByRank {
            items = List.copyOf(items);
        }
    }

    record Item(Scalar value, boolean descending) {}
}
