package orrery.query.cases;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.Value;
import orrery.model.ContainerDefinition.ComputedProperty;

/**
 * One query and what it must answer.
 *
 * @param place file and line
 * @param dataset its name, as {@link QueryCases#items} knows it
 * @param policy the indexing policy as JSON, if it is not the default
 * @param computed properties of the container
 * @param index whether the answer comes from the index, if the case says so
 */
public record QueryCase(
        String place,
        String dataset,
        Optional<String> policy,
        List<ComputedProperty> computed,
        String query,
        Map<String, Value> parameters,
        Optional<IndexUse> index,
        Outcome expected) {
    public QueryCase {
        computed = List.copyOf(computed);
    }

    public enum IndexUse {
        YES,
        NO,
        PARTIAL
    }

    public sealed interface Outcome {}

    /**
     * @param isOrdered whether the order of the rows is part of the answer
     */
    public record Rows(List<Value> rows, boolean isOrdered) implements Outcome {
        public Rows {
            rows = List.copyOf(rows);
        }
    }

    /**
     * @param text the code, a space, and the place as {@code start-end} if the error has one; or
     *     the message of an error without a code
     */
    public record Failure(String text) implements Outcome {}

    @Override
    public String toString() {
        return place + " " + query;
    }
}
