package orrery.query.mongo.match;

import java.time.Instant;
import java.util.Map;
import java.util.function.Predicate;
import orrery.document.Value;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoOrder;

/**
 * The surroundings in which a filter is read.
 *
 * @param order compares values, by the collation of the query
 * @param let the variables of the query, by name without dollars
 * @param now the time of the query
 * @param expressions reads the operand of {@code $expr}
 */
public record MatchContext(
        MongoOrder order, Value.Obj let, Instant now, ExpressionReader expressions) {
    /** Refuses aggregation expressions. */
    public static final ExpressionReader NO_EXPRESSIONS =
            (_, _) -> {
                throw MongoCode.BAD_VALUE.failure("aggregation expressions are not supported here");
            };

    /** A filter without variables, collation and expressions. */
    public static MatchContext of(Instant now) {
        return new MatchContext(MongoOrder.SIMPLE, new Value.Obj(Map.of()), now, NO_EXPRESSIONS);
    }

    /** Reads aggregation expressions. */
    public interface ExpressionReader {
        /** Makes a condition on a document. */
        Predicate<Value> read(Value expression, MatchContext context);
    }
}
