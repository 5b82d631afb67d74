package orrery.document;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.RowKey;

/**
 * Bodies in BSON, byte for byte as they arrived. The item is known by its {@code _id}. SQL's {@code
 * id} is the name of that and stands in no body; fields whose names SQL reserves have others there
 * ({@link SqlNames}).
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
                BsonKeys.partitionKey(document, definition));
    }

    private static Optional<RowKey> rowKey(Map<String, Value> properties) {
        return Optional.ofNullable(properties.get(KEY)).map(BsonKeys::rowKey);
    }

    @Override
    public PartitionKey partitionKey(Bytes stored, PartitionKeyDefinition definition) {
        return BsonKeys.partitionKey(value(stored), definition);
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
    public Map<String, Value> properties(Bytes stored, PropertyNames wanted) {
        return BsonCodec.readSome(stored, wanted);
    }

    @Override
    public Map<String, Value> jsonProperties(Bytes stored, Predicate<String> isWanted, int atMost) {
        boolean isKeyWanted = isWanted.test(KEY);
        boolean isIdWanted = isWanted.test(ID);
        // Both come from one field.
        int fields = isKeyWanted && isIdWanted ? atMost - 1 : atMost;
        Map<String, Value> found =
                BsonCodec.readSome(
                        stored,
                        name ->
                                name.equals(KEY)
                                        ? isKeyWanted || isIdWanted
                                        : isWanted.test(SqlNames.shown(name)),
                        fields);
        Map<String, Value> shown = new LinkedHashMap<>();
        found.forEach(
                (name, value) -> {
                    if (isKeyWanted || !name.equals(KEY)) {
                        shown.put(SqlNames.shown(name), JsonForm.of(value));
                    }
                });
        if (isIdWanted) {
            sqlId(found).ifPresent(id -> shown.put(ID, id));
        }
        return shown;
    }

    private static Optional<Value> sqlId(Map<String, Value> fields) {
        return rowKey(fields).map(key -> Value.of(SqlId.of(Encoding.BSON, key)));
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
                SqlNames.stored(
                        patch.withValues(BsonBodies::ofJson)
                                .apply(
                                        SqlNames.shown(value(stored)),
                                        SqlNames.shown(definition, Encoding.BSON),
                                        BsonSums.INSTANCE)));
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
            case JSON -> write(ofSql(ofJsonText(ItemBody.parse(arrived.bytes()).stored())));
        };
    }

    /** The document that SQL means: {@code id} only names {@code _id}, which it may stand for. */
    private static Value.Obj ofSql(Map<String, Value> sent) {
        Map<String, Value> fields = new LinkedHashMap<>();
        if (sent.get(ID) instanceof Value.Text(String id)) {
            RowKey named = SqlId.parse(Encoding.BSON, id);
            if (sent.containsKey(KEY)) {
                requireSame(id, named, BsonKeys.rowKey(ofJson(sent.get(KEY))));
            } else {
                fields.put(KEY, BsonKeys.id(named));
            }
        }
        sent.forEach(
                (name, value) -> {
                    if (!name.equals(ID)) {
                        fields.put(SqlNames.stored(name), ofJson(value));
                    }
                });
        return new Value.Obj(fields);
    }

    private static void requireSame(String id, RowKey named, RowKey key) {
        if (!named.equals(key)) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "The 'id' of the item is '"
                            + id
                            + "', and its '_id' has the name '"
                            + SqlId.of(Encoding.BSON, key)
                            + "'. In a container of the MongoDB API the 'id' is the name of '_id':"
                            + " change both, or leave one of them out.");
        }
    }

    /**
     * A document for a container that keeps JSON. There {@code id} is a property like others; a
     * document without it gets the name of its {@code _id}.
     */
    static Bytes inJson(Bytes bson) {
        Map<String, Value> fields = BsonCodec.read(bson).properties();
        Map<String, Value> properties = new LinkedHashMap<>();
        fields.forEach((name, value) -> properties.put(name, JsonForm.of(value)));
        if (!properties.containsKey(ID)) {
            sqlId(fields).ifPresent(id -> properties.put(ID, id));
        }
        return JsonText.writeBytes(new Value.Obj(properties));
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
        BsonCodec.requireReadable(document);
        return BsonCodec.write(document);
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
