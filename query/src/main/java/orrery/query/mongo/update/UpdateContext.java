package orrery.query.mongo.update;

import java.time.Instant;
import java.util.Map;
import java.util.function.Predicate;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.query.mongo.MongoCode;
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

    static UpdateContext of(UpdateSpec spec) {
        return new UpdateContext(
                new MatchContext(order(spec), spec.let(), spec.now(), Expression.FOR_FILTERS),
                spec.timestamp());
    }

    private static MongoOrder order(UpdateSpec spec) {
        boolean isSimple =
                spec.collation()
                        .map(collation -> collation.properties().get("locale"))
                        .map(Value.of("simple")::equals)
                        .orElse(true);
        if (!isSimple) {
            throw MongoCode.BAD_VALUE.failure("Updates support no collation but the simple one");
        }
        return MongoOrder.SIMPLE;
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
