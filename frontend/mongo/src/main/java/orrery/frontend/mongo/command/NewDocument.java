package orrery.frontend.mongo.command;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import orrery.document.BsonCodec;
import orrery.document.BsonKeys;
import orrery.document.BsonValue;
import orrery.document.Value;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.KeyComponent;
import orrery.model.OrreryException;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.resource.Container;
import orrery.query.mongo.MongoCode;

/**
 * A document that is to be inserted, as it is stored: with its {@code _id}, which comes first.
 *
 * @param body the document with what is known of it, so that nobody has to read it again
 * @param key the partition key that the document has
 */
record NewDocument(Body body, Value id, PartitionKey key) {
    private static final String ID = "_id";

    /** The type, then the name of the first field. */
    private static final int FIRST_NAME = 5;

    /** Reads a document from bytes that nobody has looked at. */
    static NewDocument read(Bytes bson, Container container, ObjectIds ids) {
        requireSize(bson);
        Value.Obj document = content(bson);
        return startsWithId(bson)
                ? checked(bson, document, container)
                : of(document, container, ids);
    }

    private static Value.Obj content(Bytes bson) {
        try {
            return BsonCodec.read(bson);
        } catch (OrreryException malformed) {
            throw malformed.withLanguageCode(MongoCode.INVALID_BSON.number());
        }
    }

    static NewDocument of(Value.Obj document, Container container, ObjectIds ids) {
        Map<String, Value> fields = new LinkedHashMap<>();
        Value id = document.properties().get(ID);
        fields.put(ID, id == null ? ids.next() : id);
        document.properties().forEach(fields::putIfAbsent);
        Value.Obj stored = new Value.Obj(fields);
        Bytes bson = BsonCodec.write(stored);
        requireSize(bson);
        return checked(bson, stored, container);
    }

    private static boolean startsWithId(Bytes bson) {
        return bson.length() > FIRST_NAME + ID.length()
                && bson.at(FIRST_NAME) == '_'
                && bson.at(FIRST_NAME + 1) == 'i'
                && bson.at(FIRST_NAME + 2) == 'd'
                && bson.at(FIRST_NAME + 3) == 0;
    }

    private static NewDocument checked(Bytes bson, Value.Obj document, Container container) {
        Value id = document.properties().getOrDefault(ID, Value.Undefined.UNDEFINED);
        switch (id) {
            case Value.Array _, BsonValue.Regex _, BsonValue.Undef _ ->
                    throw MongoCode.INVALID_ID_FIELD.failure(
                            "The '_id' value cannot be of type " + TypeNames.of(id));
            case Value.Obj(Map<String, Value> fields) -> {
                for (String name : fields.keySet()) {
                    if (name.startsWith("$")) {
                        throw MongoCode.DOLLAR_PREFIXED_FIELD_NAME.failure(
                                "_id fields may not contain '$'-prefixed fields: "
                                        + name
                                        + " is not valid for storage.");
                    }
                }
            }
            default -> {}
        }
        PartitionKeyDefinition definition = container.definition().partitionKey();
        PartitionKey key = BsonKeys.partitionKey(document, definition);
        boolean isUnkeyed =
                key.components().stream().anyMatch(KeyComponent.Undefined.class::isInstance);
        if (container.isKeyless() && !isUnkeyed) {
            throw MongoCode.BAD_VALUE.failure(
                    "a document of a collection that is not sharded cannot have the field "
                            + Catalogue.dotted(definition.paths().getFirst()));
        }
        if (!container.isKeyless() && isUnkeyed) {
            throw MongoCode.SHARD_KEY_NOT_FOUND.failure(
                    "The document does not contain shard key at '"
                            + Catalogue.dotted(definition.paths().getFirst())
                            + "'");
        }
        Body.Known known = new Body.Known.Bson(BsonKeys.rowKey(id), definition, key);
        return new NewDocument(new Body(Encoding.BSON, bson, Optional.of(known)), id, key);
    }

    private static void requireSize(Bytes bson) {
        if (bson.length() > Handshake.MAX_DOCUMENT_BYTES) {
            throw MongoCode.BSON_OBJECT_TOO_LARGE.failure(
                    "object to insert too large. size in bytes: "
                            + bson.length()
                            + ", max size: "
                            + Handshake.MAX_DOCUMENT_BYTES);
        }
    }

    int length() {
        return body.bytes().length();
    }
}
