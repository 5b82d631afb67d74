package orrery.query.syntax;

import java.util.List;
import java.util.Optional;

/** The end of a query from its FROM on, without a SELECT. */
public record Condition(List<Source> from, Optional<Scalar> where) {
    public Condition {
        from = List.copyOf(from);
    }
}
