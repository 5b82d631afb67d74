package orrery.model;

import java.util.Optional;

/**
 * The content of an item with the encoding that it is in.
 *
 * @param known what its reader or writer says of it; absent for what a client sent
 */
public record Body(Encoding encoding, Bytes bytes, Optional<Known> known) {
    /**
     * The id and the partition key of a body that one of us has just read, or written from values
     * that were checked. It can be stored as it is: it is well-formed, no name comes twice in it,
     * and none is the service's own.
     */
    public sealed interface Known {
        /** The definition that the key is found by. */
        PartitionKeyDefinition definition();

        PartitionKey key();

        /** What is known of a body in JSON. */
        record Json(String id, PartitionKeyDefinition definition, PartitionKey key)
                implements Known {}

        /** What is known of a body in BSON. */
        record Bson(RowKey id, PartitionKeyDefinition definition, PartitionKey key)
                implements Known {}
    }

    public Body(Encoding encoding, Bytes bytes) {
        this(encoding, bytes, Optional.empty());
    }

    public static Body json(Bytes text) {
        return new Body(Encoding.JSON, text);
    }
}
