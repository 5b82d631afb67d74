package orrery.query.mongo.find;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import orrery.document.BsonKeys;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.model.KeyComponent;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;
import orrery.query.mongo.FieldPath;
import orrery.query.mongo.MongoOrder;
import orrery.query.mongo.match.Condition;
import orrery.query.mongo.match.ValueTest;

/** Finds the shard keys that a filter leaves, so that a query visits only their partitions. */
final class ShardKeys {
    /** Beyond this, looking at every partition is the cheaper way. */
    private static final int MAX_KEYS = 2000;

    private ShardKeys() {}

    /** Empty where any key may have matches; an empty list where none has. */
    static Optional<List<PartitionKey>> of(
            Condition filter, PartitionKeyDefinition definition, MongoOrder order) {
        List<Set<KeyComponent>> fixed = new ArrayList<>();
        long keys = 1;
        for (PropertyPath path : definition.paths()) {
            Optional<Set<KeyComponent>> components =
                    find(filter, new FieldPath(path.segments()), order);
            if (components.isEmpty() || keys * components.get().size() > MAX_KEYS) {
                break;
            }
            keys *= components.get().size();
            fixed.add(components.get());
        }
        boolean isEnough =
                definition.isHierarchical()
                        ? !fixed.isEmpty()
                        : fixed.size() == definition.paths().size() && !fixed.isEmpty();
        return isEnough ? Optional.of(product(fixed)) : Optional.empty();
    }

    private static List<PartitionKey> product(List<Set<KeyComponent>> fixed) {
        List<List<KeyComponent>> keys = List.of(List.of());
        for (Set<KeyComponent> components : fixed) {
            List<List<KeyComponent>> longer = new ArrayList<>();
            for (List<KeyComponent> key : keys) {
                for (KeyComponent component : components) {
                    List<KeyComponent> next = new ArrayList<>(key);
                    next.add(component);
                    longer.add(next);
                }
            }
            keys = longer;
        }
        return keys.stream().map(PartitionKey::new).toList();
    }

    private static Optional<Set<KeyComponent>> find(
            Condition filter, FieldPath path, MongoOrder order) {
        return switch (filter) {
            case Condition.And(List<Condition> all) -> {
                Optional<Set<KeyComponent>> found = Optional.empty();
                for (Condition each : all) {
                    Optional<Set<KeyComponent>> some = find(each, path, order);
                    if (some.isPresent() && found.isPresent()) {
                        found.get().retainAll(some.get());
                    } else if (found.isEmpty()) {
                        found = some;
                    }
                }
                yield found;
            }
            case Condition.Or(List<Condition> any) -> {
                Set<KeyComponent> found = new LinkedHashSet<>();
                for (Condition each : any) {
                    Optional<Set<KeyComponent>> some = find(each, path, order);
                    if (some.isEmpty()) {
                        yield Optional.empty();
                    }
                    found.addAll(some.get());
                }
                yield Optional.of(found);
            }
            case Condition.OnPath(FieldPath other, ValueTest test) when other.equals(path) ->
                    values(test)
                            .filter(values -> values.stream().allMatch(order::isByBytes))
                            .flatMap(ShardKeys::components);
            case Condition.Constant(boolean value) ->
                    value ? Optional.empty() : Optional.of(new LinkedHashSet<>());
            case Condition.OnPath _,
                    Condition.Not _,
                    Condition.OfExpression _,
                    Condition.OfSchema _ ->
                    Optional.empty();
        };
    }

    private static Optional<List<Value>> values(ValueTest test) {
        return switch (test) {
            case ValueTest.Compare(ValueTest.Relation relation, Value operand)
                    when relation == ValueTest.Relation.EQ ->
                    Optional.of(List.of(operand));
            case ValueTest.In(List<Value> values, List<ValueTest.Regex> patterns)
                    when patterns.isEmpty() ->
                    Optional.of(values);
            default -> Optional.empty();
        };
    }

    /** A document cannot have an array as its key, but one that does would have none. */
    private static Optional<Set<KeyComponent>> components(List<Value> values) {
        Set<KeyComponent> components = new LinkedHashSet<>();
        for (Value value : values) {
            if (value instanceof Value.Array) {
                return Optional.empty();
            }
            components.add(BsonKeys.component(value));
            if (value instanceof Value.Null) {
                components.add(KeyComponent.UNDEFINED);
            }
        }
        return Optional.of(components);
    }

    /** Returns the one value that a filter demands at a path, if it does. */
    static Optional<Value> equalTo(Condition filter, FieldPath path) {
        return switch (filter) {
            case Condition.And(List<Condition> all) ->
                    all.stream().flatMap(each -> equalTo(each, path).stream()).findFirst();
            case Condition.OnPath(
                            FieldPath other,
                            ValueTest.Compare(ValueTest.Relation relation, Value operand))
                    when other.equals(path) && relation == ValueTest.Relation.EQ ->
                    Optional.of(operand);
            default -> Optional.empty();
        };
    }

    /** Returns true if a value can be the id of an item that a filter finds by equality. */
    static boolean isId(Value value) {
        return switch (value) {
            case Value.Array _, Value.Undefined _, Value.Null _ -> false;
            case BsonValue.Undef _, BsonValue.Regex _ -> false;
            default -> true;
        };
    }
}
