package orrery.query.mongo.expression;

import orrery.document.Value;
import orrery.query.mongo.BsonType;

/** The names that messages and {@code $type} have for types of values. */
public final class TypeNames {
    private TypeNames() {}

    public static String of(Value value) {
        return value.isDefined() ? BsonType.of(value).alias() : "missing";
    }
}
