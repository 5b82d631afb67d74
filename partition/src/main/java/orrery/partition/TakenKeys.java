package orrery.partition;

import java.util.List;
import orrery.document.BsonCodec;
import orrery.document.UniqueIndex;
import orrery.model.Bytes;
import orrery.model.Encoding;
import orrery.model.KeyViolation;
import orrery.partition.machine.OpenDefinition;
import orrery.partition.machine.Outcome;

/** Tells clients the key of a unique index that their item cannot have. */
final class TakenKeys {
    private TakenKeys() {}

    /**
     * @param body of the item that was refused
     */
    static KeyViolation violation(
            OpenDefinition definition, Outcome.TakenKey taken, Encoding encoding, Bytes body) {
        List<UniqueIndex> uniques = definition.currentPlan().uniques();
        for (UniqueIndex index : uniques) {
            if (index.name().equals(taken.index())) {
                List<UniqueIndex.Key> keys = index.keys(UniqueIndex.read(uniques, encoding, body));
                if (taken.ordinal() < keys.size()) {
                    Bytes key = BsonCodec.write(index.document(keys.get(taken.ordinal())));
                    return new KeyViolation(
                            taken.index(),
                            key.length() > KeyViolation.MAX_KEY_BYTES ? Bytes.EMPTY : key);
                }
            }
        }
        // The definition changed meanwhile; the name is still right.
        return new KeyViolation(taken.index(), Bytes.EMPTY);
    }
}
