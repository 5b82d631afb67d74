package orrery.document;

import java.util.Map;
import java.util.function.Predicate;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.ItemRules;
import orrery.model.PartitionKey;
import orrery.model.PartitionKeyDefinition;
import orrery.model.SizeLimits;

/**
 * Gives the engine what it needs of a body, in the encoding that the container keeps bodies in. All
 * methods but {@link #parse} and {@link #accept} take bodies that were checked before they were
 * stored.
 */
public sealed interface BodyFormat permits JsonBodies, BsonBodies {
    static BodyFormat of(Encoding encoding) {
        return switch (encoding) {
            case JSON -> JsonBodies.INSTANCE;
            case BSON -> BsonBodies.INSTANCE;
        };
    }

    Encoding encoding();

    /**
     * Checks a body that arrived in this encoding and finds its id and partition key. Throws
     * BAD_REQUEST if it may not be stored.
     */
    ItemBody parse(Bytes body, PartitionKeyDefinition definition);

    /**
     * Like {@link #parse}, for a body that arrived in any encoding. Throws TOO_LARGE if it is
     * larger than an item may be.
     */
    default ItemBody parse(Body arrived, SizeLimits limits, PartitionKeyDefinition definition) {
        if (arrived.encoding() == encoding()) {
            ItemRules.checkBody(limits, arrived.bytes());
            return arrived.known()
                    .filter(known -> known.definition().equals(definition))
                    .map(known -> ItemBody.ofKnown(arrived.bytes(), known))
                    .orElseGet(() -> parse(arrived.bytes(), definition));
        }
        ItemRules.checkArrived(limits, arrived.bytes());
        ItemBody body = parse(accept(arrived), definition);
        ItemRules.checkBody(limits, body.stored());
        return body;
    }

    PartitionKey partitionKey(Bytes stored, PartitionKeyDefinition definition);

    /** All of it, in its own kinds. */
    Value.Obj value(Bytes stored);

    /**
     * Some top-level properties in their own kinds.
     *
     * @param atMost how many are wanted; reading stops when they are found
     */
    Map<String, Value> properties(Bytes stored, Predicate<String> isWanted, int atMost);

    /**
     * Like the other method of this name, for names that are looked for in many items. A name that
     * the service adds to items of SQL is one as any other here.
     */
    Map<String, Value> properties(Bytes stored, PropertyNames wanted);

    /**
     * Some top-level properties as SQL sees them: in kinds that JSON has, without those that the
     * service adds itself.
     */
    Map<String, Value> jsonProperties(Bytes stored, Predicate<String> isWanted, int atMost);

    /** Like the other method of this name, for names that are looked for in many items. */
    Map<String, Value> jsonProperties(Bytes stored, PropertyNames wanted);

    /** The body after the patch; what the patch does not name keeps its type. */
    Bytes patch(Bytes stored, Patch patch, PartitionKeyDefinition definition);

    /**
     * The body of a document that was changed, as it is stored. Throws BAD_REQUEST for a document
     * that this encoding cannot keep.
     */
    Bytes write(Value.Obj document);

    /** The body as JSON text, which ends with its brace. For JSON the stored bytes themselves. */
    Bytes toJson(Bytes stored);

    /**
     * A body for {@link #parse} from one that arrived in any encoding: the same bytes if it is this
     * one. Throws BAD_REQUEST for what this encoding cannot keep.
     */
    Bytes accept(Body arrived);

    /**
     * A stored body in this encoding, for a reader who wants no other: the same bytes if it is
     * stored so. Throws BAD_REQUEST for what this encoding cannot show.
     */
    Bytes show(Body stored);
}
