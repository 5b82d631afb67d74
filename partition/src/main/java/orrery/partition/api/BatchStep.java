package orrery.partition.api;

import orrery.model.ItemKey;
import orrery.model.Precondition;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/** One operation of a {@link WriteRequest.Batch}. */
public sealed interface BatchStep {
    ItemKey key();

    /** The key that the item has afterwards; another one only where its id changes. */
    default ItemKey target() {
        return key();
    }

    /**
     * @param known holds for the version the client has, which it need not be sent
     */
    record Read(ItemKey key, Precondition known) implements BatchStep {}

    record Write(ItemKey key, WriteAction action, Precondition precondition) implements BatchStep {
        @Override
        public ItemKey target() {
            return action.target(key);
        }
    }

    default void write(BinaryWriter out) {
        switch (this) {
            case Read(ItemKey key, Precondition known) -> {
                out.u8(1);
                key.write(out);
                Precondition.write(out, known);
            }
            case Write(ItemKey key, WriteAction action, Precondition precondition) -> {
                out.u8(2);
                key.write(out);
                action.write(out);
                Precondition.write(out, precondition);
            }
        }
    }

    static BatchStep read(BinaryReader in) {
        return switch (in.u8()) {
            case 1 -> new Read(ItemKey.read(in), Precondition.read(in));
            case 2 -> new Write(ItemKey.read(in), WriteAction.read(in), Precondition.read(in));
            default -> throw new MalformedRecordException("unknown kind of batch step");
        };
    }
}
