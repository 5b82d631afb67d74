package orrery.query.mongo.update;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.query.mongo.MongoCode;
import orrery.query.mongo.MongoOrder;

/** Puts another document in the place of one, which keeps its {@code _id}. */
record ReplacementUpdate(Value.Obj replacement, BsonValue.Timestamp timestamp)
        implements DocumentUpdate {
    static ReplacementUpdate of(Value.Obj replacement, UpdateContext context) {
        for (String name : replacement.properties().keySet()) {
            if (name.startsWith("$")) {
                throw MongoCode.DOLLAR_PREFIXED_FIELD_NAME.failure(
                        ("The dollar ($) prefixed field '%s' in '%s' is not allowed in the "
                                        + "context of an update's replacement document. Consider using an "
                                        + "aggregation pipeline with $replaceWith.")
                                .formatted(name, name));
            }
        }
        return new ReplacementUpdate(replacement, context.timestamp());
    }

    @Override
    public Optional<Value.Obj> apply(Value.Obj document, OptionalInt found, boolean isInsert) {
        Map<String, Value> fields = new LinkedHashMap<>();
        Value own = document.properties().getOrDefault(MongoUpdate.ID, Value.Undefined.UNDEFINED);
        Value sent = replacement.properties().getOrDefault(MongoUpdate.ID, own);
        // An equal number of another width is the same id, and stays as it is.
        fields.put(MongoUpdate.ID, MongoOrder.SIMPLE.equal(own, sent) ? own : sent);
        replacement.properties().forEach((name, value) -> fields.putIfAbsent(name, stamped(value)));
        fields.values().removeIf(value -> !value.isDefined());
        Value.Obj next = new Value.Obj(fields);
        return Identity.isSame(document, next) ? Optional.empty() : Optional.of(next);
    }

    /** An empty timestamp stands for the present moment, in fields of the document itself. */
    private Value stamped(Value value) {
        return value instanceof BsonValue.Timestamp(int seconds, int increment)
                        && seconds == 0
                        && increment == 0
                ? timestamp
                : value;
    }

    @Override
    public boolean names(UpdatePath field) {
        return false;
    }
}
