package orrery.gateway.api;

import java.util.Optional;
import orrery.model.Body;
import orrery.model.Bytes;
import orrery.model.PartitionKey;
import orrery.model.Precondition;
import orrery.query.write.Evaluation;
import orrery.query.write.Images;

/**
 * A change to one item. Bodies are as the client sent them, in whichever encoding; the engine keeps
 * them in that of the container's kind. A front-end that has read and written a body itself may say
 * what is in it, and then nobody reads it again. Where a key is given beside a body it must equal
 * the one found in the body.
 */
public sealed interface ItemWrite {
    record Create(Body body, Optional<PartitionKey> key) implements ItemWrite {
        public Create(Bytes json, Optional<PartitionKey> key) {
            this(Body.json(json), key);
        }
    }

    /** The precondition counts only when the item exists. */
    record Upsert(Body body, Optional<PartitionKey> key, Precondition precondition)
            implements ItemWrite {
        public Upsert(Bytes json, Optional<PartitionKey> key, Precondition precondition) {
            this(Body.json(json), key, precondition);
        }
    }

    record Replace(ItemRef item, Optional<PartitionKey> key, Body body, Precondition precondition)
            implements ItemWrite {
        public Replace(
                ItemRef item, Optional<PartitionKey> key, Bytes json, Precondition precondition) {
            this(item, key, Body.json(json), precondition);
        }
    }

    /**
     * A change in the words of a dialect, which the leader of the partition evaluates on the
     * version that is there.
     *
     * @param upsert whether it is evaluated on absence too, and creates the item; the precondition
     *     then counts only when the item exists
     * @param images the versions that the answer holds
     */
    record Evaluate(
            ItemRef item,
            PartitionKey key,
            Evaluation evaluation,
            boolean upsert,
            Images images,
            Precondition precondition)
            implements ItemWrite {
        /** A change of an item that must be there, answered with what it made. */
        public Evaluate(
                ItemRef item, PartitionKey key, Evaluation evaluation, Precondition precondition) {
            this(item, key, evaluation, false, Images.AFTER, precondition);
        }
    }

    /** A delete that is answered with the version that was deleted. */
    record Take(ItemRef item, PartitionKey key, Precondition precondition) implements ItemWrite {}

    record Delete(ItemRef item, PartitionKey key, Precondition precondition) implements ItemWrite {}

    /** The key that the request names; absent where it is only found in the body. */
    default Optional<PartitionKey> namedKey() {
        return switch (this) {
            case Create create -> create.key();
            case Upsert upsert -> upsert.key();
            case Replace replace -> replace.key();
            case Evaluate evaluate -> Optional.of(evaluate.key());
            case Take take -> Optional.of(take.key());
            case Delete delete -> Optional.of(delete.key());
        };
    }
}
