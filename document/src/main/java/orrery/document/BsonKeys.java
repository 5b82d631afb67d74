package orrery.document;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.KeyComponent;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;
import orrery.model.RowKey;
import orrery.model.TaggedText;
import orrery.model.codec.MalformedRecordException;

/** The keys of an item that is kept in BSON. */
public final class BsonKeys {
    private BsonKeys() {}

    /** The row key for an {@code _id}. Throws BAD_REQUEST where that cannot be one. */
    public static RowKey rowKey(Value id) {
        return switch (id) {
            case Value.Array _, Value.Undefined _, BsonValue.Undef _, BsonValue.Regex _ ->
                    throw JsonInput.invalid(
                            "The '_id' of an item cannot be an array, undefined or a regular"
                                    + " expression");
            case Value.Null _,
                    Value.Bool _,
                    Value.Int _,
                    Value.Real _,
                    Value.Text _,
                    Value.Obj _,
                    BsonValue _ ->
                    RowKey.of(CanonicalValue.of(id));
        };
    }

    /**
     * The {@code _id} that has this key. Of numbers that are one key it is the narrowest: an int32
     * if it can be one.
     */
    public static Value id(RowKey key) {
        return CanonicalValue.parse(key.bytes());
    }

    /**
     * The row key with these bytes, which a client sent. Empty if no {@code _id} has them: a key
     * that two clients could write in two ways would be two items.
     */
    static Optional<RowKey> canonical(Bytes bytes) {
        try {
            Bytes document =
                    BsonCodec.write(new Value.Obj(Map.of("_id", CanonicalValue.parse(bytes))));
            // BSON has limits of its own, and changes texts that have no form in it.
            Value id = Objects.requireNonNull(BsonCodec.read(document).properties().get("_id"));
            return Optional.of(rowKey(id)).filter(key -> key.bytes().equals(bytes));
        } catch (MalformedRecordException | OrreryException refused) {
            return Optional.empty();
        }
    }

    /** Returns the partition key of a document: undefined where a path leads nowhere. */
    public static PartitionKey partitionKey(Value.Obj document, PartitionKeyDefinition definition) {
        List<PropertyPath> paths = definition.paths();
        if (paths.isEmpty()) {
            return PartitionKey.EMPTY;
        }
        KeyComponent[] components = new KeyComponent[paths.size()];
        for (int i = 0; i < components.length; i++) {
            components[i] = component(at(document, paths.get(i)));
        }
        return PartitionKey.of(components);
    }

    private static Value at(Value.Obj document, PropertyPath path) {
        Value value = document;
        for (String segment : path.segments()) {
            value =
                    value instanceof Value.Obj(Map<String, Value> properties)
                            ? properties.getOrDefault(segment, Value.Undefined.UNDEFINED)
                            : Value.Undefined.UNDEFINED;
        }
        return value;
    }

    /**
     * The component of a partition key for a value. All widths of a number are one, the double that
     * is nearest. Kinds that keys do not have become tagged texts, and so does a string that could
     * be taken for one.
     */
    public static KeyComponent component(Value value) {
        return switch (value) {
            case Value.Undefined _, Value.Array _ -> KeyComponent.UNDEFINED;
            case Value.Null _, BsonValue.Undef _ -> KeyComponent.NULL;
            case Value.Bool(boolean truth) -> truth ? KeyComponent.TRUE : KeyComponent.FALSE;
            case Value.Int(long number) -> new KeyComponent.Numeric((double) number);
            case BsonValue.Int64(long number) -> new KeyComponent.Numeric((double) number);
            case Value.Real(double number) -> number(number, value);
            case BsonValue.Decimal decimal ->
                    number(
                            decimal.isFinite() ? decimal.toBigDecimal().doubleValue() : Double.NaN,
                            value);
            case Value.Text(String text) -> text(text, value);
            case BsonValue.Symbol(String name) -> text(name, value);
            case Value.Obj _, BsonValue _ -> tagged(value);
        };
    }

    private static KeyComponent number(double number, Value value) {
        return Double.isFinite(number)
                ? new KeyComponent.Numeric(number + 0.0) // no negative zero
                : tagged(value);
    }

    private static KeyComponent text(String text, Value value) {
        return TaggedText.isTagged(text) ? tagged(value) : new KeyComponent.Text(text);
    }

    private static KeyComponent tagged(Value value) {
        return TaggedText.component(CanonicalValue.of(value));
    }
}
