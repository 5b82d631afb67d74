package orrery.query.mongo.match;

import java.util.OptionalInt;
import orrery.query.dialect.Effort;
import orrery.query.mongo.FieldPath;
import orrery.query.mongo.MongoOrder;

/** One look at one document. Belongs to one thread. */
final class Scope {
    private final MongoOrder order;
    private final Effort effort;
    private int arrayIndex = FieldPath.NO_INDEX;

    Scope(MongoOrder order, Effort effort) {
        this.order = order;
        this.effort = effort;
    }

    MongoOrder order() {
        return order;
    }

    Effort effort() {
        return effort;
    }

    /** A condition holds because of this element; no element leaves what was known. */
    void matchedAt(int index) {
        if (index != FieldPath.NO_INDEX) {
            arrayIndex = index;
        }
    }

    /** What does not match, or matches inside of a negation, tells nothing about elements. */
    int arrayIndex() {
        return arrayIndex;
    }

    void restore(int index) {
        arrayIndex = index;
    }

    OptionalInt found() {
        return arrayIndex == FieldPath.NO_INDEX ? OptionalInt.empty() : OptionalInt.of(arrayIndex);
    }
}
