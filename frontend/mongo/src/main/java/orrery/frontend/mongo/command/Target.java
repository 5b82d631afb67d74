package orrery.frontend.mongo.command;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.BsonKeys;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.model.KeyComponent;
import orrery.model.PartitionKey;
import orrery.model.PropertyPath;
import orrery.model.RowKey;
import orrery.model.resource.Container;
import orrery.query.mongo.MongoOrder;

/**
 * The part of a collection that a filter is about, as far as equalities at its top level tell.
 *
 * @param key the one partition key, if it is known; a collection that is not sharded has only one
 * @param id the one item within a partition key, if it is known
 */
record Target(Optional<PartitionKey> key, Optional<RowKey> id) {
    /** The key of all items in a collection that is not sharded. */
    static final PartitionKey NO_KEY = PartitionKey.of(KeyComponent.UNDEFINED);

    private static final String ID = "_id";

    /**
     * @param order says which values are equal; the places of items go by the bytes of strings
     */
    static Target of(Value.Obj filter, MongoOrder order, Container container) {
        Optional<PropertyPath> path = Catalogue.shardKey(container);
        Optional<PartitionKey> key =
                path.isEmpty()
                        ? Optional.of(NO_KEY)
                        : equality(filter, Catalogue.dotted(path.get()))
                                .filter(order::isByBytes)
                                .map(value -> PartitionKey.of(BsonKeys.component(value)));
        return new Target(key, equality(filter, ID).filter(order::isByBytes).map(BsonKeys::rowKey));
    }

    /** Returns true if a filter asks for nothing but an id, so that who has the id matches. */
    static boolean isOfId(Value.Obj filter) {
        if (filter.properties().size() != 1) {
            return false;
        }
        return switch (filter.properties().get(ID)) {
            case Value.Obj(Map<String, Value> fields)
                    when fields.keySet().stream().anyMatch(name -> name.startsWith("$")) ->
                    fields.size() == 1 && fields.containsKey("$eq");
            case null -> false;
            default -> true;
        };
    }

    /** The value that a field must be equal to, if it can only be that one. */
    private static Optional<Value> equality(Value.Obj filter, String field) {
        for (Map.Entry<String, Value> each : filter.properties().entrySet()) {
            if (each.getKey().equals(field)) {
                Optional<Value> value = equal(each.getValue());
                if (value.isPresent()) {
                    return value;
                }
            } else if (each.getKey().equals("$and")
                    && each.getValue() instanceof Value.Array(List<Value> all)) {
                for (Value part : all) {
                    if (part instanceof Value.Obj inner) {
                        Optional<Value> value = equality(inner, field);
                        if (value.isPresent()) {
                            return value;
                        }
                    }
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<Value> equal(Value value) {
        return switch (value) {
            case Value.Obj(Map<String, Value> fields)
                    when fields.keySet().stream().anyMatch(name -> name.startsWith("$")) ->
                    Optional.ofNullable(fields.get("$eq")).filter(Target::isKey);
            default -> Optional.of(value).filter(Target::isKey);
        };
    }

    private static boolean isKey(Value value) {
        return switch (value) {
            case Value.Array _, Value.Undefined _, BsonValue.Undef _, BsonValue.Regex _ -> false;
            default -> true;
        };
    }
}
