package orrery.document;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.KeyComponent;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.PropertyPath;
import orrery.model.RowKey;

/**
 * Bodies in BSON, byte for byte as they arrived. A property that has the name of one that the
 * service adds stays in the body, but SQL does not see it and it has no index terms.
 */
final class BsonBodies implements BodyFormat {
    static final BsonBodies INSTANCE = new BsonBodies();

    private static final String KEY = "_id";
    private static final String ID = "id";

    private BsonBodies() {}

    @Override
    public Encoding encoding() {
        return Encoding.BSON;
    }

    @Override
    public ItemBody parse(Bytes body, PartitionKeyDefinition definition) {
        Value.Obj document = BsonCodec.read(body);
        return ItemBody.ofBson(
                rowKey(document.properties()).orElse(null),
                body,
                document.properties().isEmpty(),
                definition,
                partitionKey(document, definition));
    }

    /** An item from SQL has no {@code _id}: its {@code id} means what it means in a link. */
    private static Optional<RowKey> rowKey(Map<String, Value> properties) {
        Value key = properties.get(KEY);
        if (key != null) {
            return Optional.of(BsonKeys.rowKey(key));
        }
        return properties.get(ID) instanceof Value.Text(String id)
                ? Optional.of(SqlId.parse(Encoding.BSON, id))
                : Optional.empty();
    }

    @Override
    public PartitionKey partitionKey(Bytes stored, PartitionKeyDefinition definition) {
        return partitionKey(value(stored), definition);
    }

    private static PartitionKey partitionKey(
            Value.Obj document, PartitionKeyDefinition definition) {
        List<PropertyPath> paths = definition.paths();
        if (paths.isEmpty()) {
            return PartitionKey.EMPTY;
        }
        return PartitionKey.of(
                paths.stream()
                        .map(path -> BsonKeys.component(at(document, path)))
                        .toArray(KeyComponent[]::new));
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

    @Override
    public Value.Obj value(Bytes stored) {
        return BsonCodec.read(stored);
    }

    @Override
    public Map<String, Value> properties(Bytes stored, Predicate<String> isWanted, int atMost) {
        return BsonCodec.readSome(stored, isWanted, atMost);
    }

    @Override
    public Map<String, Value> jsonProperties(Bytes stored, Predicate<String> isWanted, int atMost) {
        Map<String, Value> found =
                BsonCodec.readSome(
                        stored,
                        name -> isWanted.test(name) && !SystemProperties.isSystemProperty(name),
                        atMost);
        found.replaceAll((_, value) -> JsonForm.of(value));
        if (found.size() < atMost && !found.containsKey(ID) && isWanted.test(ID)) {
            addId(stored, found);
        }
        return found;
    }

    /** SQL knows an item by its {@code id}, which most documents lack. */
    private static void addId(Bytes stored, Map<String, Value> found) {
        rowKey(BsonCodec.readSome(stored, KEY::equals, 1))
                .map(key -> SqlId.of(Encoding.BSON, key))
                .ifPresent(id -> found.put(ID, Value.of(id)));
    }

    @Override
    public Map<String, Value> jsonProperties(Bytes stored, PropertyNames wanted) {
        return jsonProperties(stored, name -> wanted.find(name) != null, wanted.ofBody());
    }

    @Override
    public Bytes patch(Bytes stored, Patch patch, PartitionKeyDefinition definition) {
        if (patch.touches(KEY)) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST, "A patch cannot change the '_id' of an item.");
        }
        return write(
                patch.withValues(BsonBodies::ofJson)
                        .apply(value(stored), definition, BsonSums.INSTANCE));
    }

    @Override
    public Bytes toJson(Bytes stored) {
        return JsonText.writeBytes(
                new Value.Obj(jsonProperties(stored, _ -> true, Integer.MAX_VALUE)));
    }

    @Override
    public Bytes accept(Body arrived) {
        return switch (arrived.encoding()) {
            case BSON -> arrived.bytes();
            case JSON -> {
                Map<String, Value> properties =
                        new LinkedHashMap<>(ofJsonText(ItemBody.parse(arrived.bytes()).stored()));
                properties.replaceAll((_, value) -> ofJson(value));
                yield write(new Value.Obj(properties));
            }
        };
    }

    @Override
    public Bytes show(Body stored) {
        return switch (stored.encoding()) {
            case BSON -> stored.bytes();
            case JSON -> write(JsonForm.readable(ofJsonText(stored.bytes())));
        };
    }

    private static Map<String, Value> ofJsonText(Bytes stored) {
        return JsonText.parseStored(stored, _ -> true, Integer.MAX_VALUE);
    }

    /** Throws BAD_REQUEST for a document that nobody could read again, as one that is too deep. */
    @Override
    public Bytes write(Value.Obj document) {
        Bytes written = BsonCodec.write(document);
        BsonCodec.read(written);
        return written;
    }

    /** Throws BAD_REQUEST for a pattern: SQL has no kind that it could be compared with. */
    private static Value ofJson(Value json) {
        Value value = JsonForm.parse(json);
        value.visit(BsonBodies::refusePattern);
        return value;
    }

    private static void refusePattern(Value value) {
        if (value instanceof BsonValue.Regex) {
            throw JsonInput.invalid(
                    "A regular expression can be written through the MongoDB API only");
        }
    }
}
