package orrery.query.mongo.expression;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import orrery.document.Value;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.match.MatchContext;

/**
 * The surroundings in which expressions are read and evaluated.
 *
 * @param order compares values, by the collation of the command
 * @param let variables of the command, by name without dollars
 * @param now what {@code $$NOW} shows
 * @param seed of {@code $rand}
 */
public record ExpressionContext(MongoOrder order, Value.Obj let, Instant now, long seed) {
    public static ExpressionContext of(MatchContext matching) {
        return new ExpressionContext(
                matching.order(), matching.let(), matching.now(), matching.now().toEpochMilli());
    }

    /** The same surroundings with more variables, which hide those of the same names. */
    public ExpressionContext with(Map<String, Value> more) {
        Map<String, Value> all = new LinkedHashMap<>(let.properties());
        all.putAll(more);
        return new ExpressionContext(order, new Value.Obj(all), now, seed);
    }

    /** The same surroundings, for filters. */
    public MatchContext matching() {
        return new MatchContext(order, let, now, Expression.FOR_FILTERS);
    }

    /** The variables of an evaluation on a document. */
    public Variables variables(Value document) {
        return new Variables(document, now, let.properties());
    }
}
