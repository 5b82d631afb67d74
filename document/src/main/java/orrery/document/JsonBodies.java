package orrery.document;

import java.util.Map;
import java.util.function.Predicate;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;

/** Bodies in JSON. */
final class JsonBodies implements BodyFormat {
    static final JsonBodies INSTANCE = new JsonBodies();

    private JsonBodies() {}

    @Override
    public Encoding encoding() {
        return Encoding.JSON;
    }

    @Override
    public ItemBody parse(Bytes body, PartitionKeyDefinition definition) {
        return ItemBody.parse(body, definition);
    }

    @Override
    public PartitionKey partitionKey(Bytes stored, PartitionKeyDefinition definition) {
        return ItemBody.partitionKeyOf(stored, definition);
    }

    @Override
    public Value.Obj value(Bytes stored) {
        return new Value.Obj(properties(stored, _ -> true, Integer.MAX_VALUE));
    }

    @Override
    public Map<String, Value> properties(Bytes stored, Predicate<String> isWanted, int atMost) {
        return JsonText.parseStored(stored, isWanted, atMost);
    }

    @Override
    public Map<String, Value> properties(Bytes stored, PropertyNames wanted) {
        return properties(stored, wanted::contains, wanted.size());
    }

    @Override
    public Map<String, Value> jsonProperties(Bytes stored, Predicate<String> isWanted, int atMost) {
        return JsonText.parseStored(stored, isWanted, atMost);
    }

    @Override
    public Map<String, Value> jsonProperties(Bytes stored, PropertyNames wanted) {
        return StoredBody.read(stored, wanted);
    }

    @Override
    public Bytes patch(Bytes stored, Patch patch, PartitionKeyDefinition definition) {
        return write(patch.apply(value(stored), definition));
    }

    @Override
    public Bytes write(Value.Obj document) {
        return ItemBody.parse(JsonText.writeBytes(document)).stored();
    }

    @Override
    public Bytes toJson(Bytes stored) {
        return stored;
    }

    /** All kinds of BSON have a form in JSON; an object that would be taken for one has not. */
    @Override
    public Bytes accept(Body arrived) {
        return switch (arrived.encoding()) {
            case JSON -> arrived.bytes();
            case BSON -> {
                JsonForm.requireUnmistakable(BsonCodec.read(arrived.bytes()));
                yield BsonBodies.inJson(arrived.bytes());
            }
        };
    }

    @Override
    public Bytes show(Body stored) {
        return BodyFormat.of(stored.encoding()).toJson(stored.bytes());
    }
}
