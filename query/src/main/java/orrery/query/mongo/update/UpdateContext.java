package orrery.query.mongo.update;

import java.time.Instant;
import java.util.Map;
import java.util.function.Predicate;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.query.mongo.Collation;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.expression.Expression;
import orrery.query.mongo.match.MatchContext;
import orrery.query.mongo.match.Matcher;

/**
 * The surroundings in which an update is read.
 *
 * @param matching those of the filters in it
 * @param timestamp the moment as a timestamp, which the front-end gives to one write only
 */
record UpdateContext(MatchContext matching, BsonValue.Timestamp timestamp) {
    /** The name under which a value stands that has none. */
    private static final String UNNAMED = "";

    private static final Value.Obj NO_COLLATION = new Value.Obj(Map.of());

    static UpdateContext of(UpdateSpec spec) {
        return new UpdateContext(
                new MatchContext(
                        Collation.order(spec.collation().orElse(NO_COLLATION)),
                        spec.let(),
                        spec.now(),
                        Expression.FOR_FILTERS),
                spec.timestamp());
    }

    MongoOrder order() {
        return matching.order();
    }

    Instant now() {
        return matching.now();
    }

    Predicate<Value.Obj> filter(Value.Obj filter) {
        return Matcher.compile(filter, matching)::matches;
    }

    /** A document around a value, so that operators can be asked about it. */
    Value.Obj wrapped(Value value) {
        return new Value.Obj(Map.of(UNNAMED, value));
    }

    /** Returns true if an object holds operators and is no value itself. */
    static boolean isOperators(Value.Obj object) {
        return object.properties().keySet().stream()
                .findFirst()
                .filter(name -> name.startsWith("$") && !UpdatePath.isReference(name))
                .isPresent();
    }
}
