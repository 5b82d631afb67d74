package orrery.frontend.mongo.command;

import java.util.LinkedHashMap;
import java.util.Map;
import orrery.document.BodyFormat;
import orrery.document.BsonCodec;
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
 * @param key the partition key that the document has
 */
record NewDocument(Bytes bson, Value id, PartitionKey key) {
    private static final String ID = "_id";

    /** The type, then the name of the first field. */
    private static final int FIRST_NAME = 5;

    /** Reads a document from bytes that nobody has looked at. */
    static NewDocument read(Bytes bson, Container container, ObjectIds ids) {
        BodyFormat format = BodyFormat.of(Encoding.BSON);
        requireSize(bson);
        try {
            if (startsWithId(bson)) {
                Map<String, Value> first = format.properties(bson, ID::equals, 1);
                return checked(bson, first.getOrDefault(ID, Value.Undefined.UNDEFINED), container);
            }
            return of(BsonCodec.read(bson), container, ids);
        } catch (OrreryException malformed) {
            throw malformed.languageCode().isPresent()
                    ? malformed
                    : malformed.withLanguageCode(MongoCode.INVALID_BSON.number());
        }
    }

    static NewDocument of(Value.Obj document, Container container, ObjectIds ids) {
        Map<String, Value> fields = new LinkedHashMap<>();
        Value id = document.properties().get(ID);
        fields.put(ID, id == null ? ids.next() : id);
        document.properties().forEach(fields::putIfAbsent);
        Bytes bson = BsonCodec.write(new Value.Obj(fields));
        requireSize(bson);
        return checked(bson, fields.getOrDefault(ID, Value.Undefined.UNDEFINED), container);
    }

    private static boolean startsWithId(Bytes bson) {
        return bson.length() > FIRST_NAME + ID.length()
                && bson.at(FIRST_NAME) == '_'
                && bson.at(FIRST_NAME + 1) == 'i'
                && bson.at(FIRST_NAME + 2) == 'd'
                && bson.at(FIRST_NAME + 3) == 0;
    }

    private static NewDocument checked(Bytes bson, Value id, Container container) {
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
        PartitionKey key = BodyFormat.of(Encoding.BSON).partitionKey(bson, definition);
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
        return new NewDocument(bson, id, key);
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

    Body body() {
        return new Body(Encoding.BSON, bson);
    }
}
