package orrery.partition.api;

import orrery.model.Bytes;
import orrery.model.ItemKey;
import orrery.model.RowKey;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * The change of an item. Bodies are in the encoding of the container's kind; in JSON they are
 * without system properties.
 */
public sealed interface WriteAction {
    /** The key that an item has afterwards; another one only where its id changes. */
    default ItemKey target(ItemKey key) {
        return key;
    }

    record Create(Bytes body) implements WriteAction {}

    record Upsert(Bytes body) implements WriteAction {}

    record Replace(Bytes body) implements WriteAction {}

    /** A replace by an item with another id, which stays the same item. */
    record Rename(RowKey id, Bytes body) implements WriteAction {
        @Override
        public ItemKey target(ItemKey key) {
            return key.withRowKey(id);
        }
    }

    record Delete() implements WriteAction {}

    /**
     * Evaluated at the leader, where a condition sees the item as its reader would.
     *
     * @param database number of the container's database, which heads the item's rid
     * @param patch the request body as it arrived
     */
    record Patch(int database, Bytes patch) implements WriteAction {}

    default void write(BinaryWriter out) {
        switch (this) {
            case Create(Bytes body) -> out.u8(1).bytes(body);
            case Upsert(Bytes body) -> out.u8(2).bytes(body);
            case Replace(Bytes body) -> out.u8(3).bytes(body);
            case Rename(RowKey id, Bytes body) -> {
                out.u8(4);
                id.write(out);
                out.bytes(body);
            }
            case Delete _ -> out.u8(5);
            case Patch(int database, Bytes patch) -> out.u8(6).u32(database).bytes(patch);
        }
    }

    static WriteAction read(BinaryReader in) {
        return switch (in.u8()) {
            case 1 -> new Create(in.bytes());
            case 2 -> new Upsert(in.bytes());
            case 3 -> new Replace(in.bytes());
            case 4 -> new Rename(RowKey.read(in), in.bytes());
            case 5 -> new Delete();
            case 6 -> new Patch(in.u32(), in.bytes());
            default -> throw new MalformedRecordException("unknown write action");
        };
    }
}
