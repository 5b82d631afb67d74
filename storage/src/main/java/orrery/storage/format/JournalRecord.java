package orrery.storage.format;

import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.Item;
import orrery.model.ItemVersion;
import orrery.model.PartitionKeyDefinition;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * One version of an item, kept after the next was written, or its end. Its LSN is in its key.
 *
 * @param itemSuffix the item's key without its container
 * @param item what was written; for a delete what was there before
 */
public record JournalRecord(ChangeHeader header, Bytes itemSuffix, Item item) {
    private static final int VERSION = 2;

    /** Bytes of an item besides its body, and of two lengths. */
    private static final int ITEM_BYTES = 51;

    public byte[] encode() {
        BinaryWriter out =
                new BinaryWriter(
                        header.length() + itemSuffix.length() + item.body().length() + ITEM_BYTES);
        header.write(out, VERSION);
        out.bytes(itemSuffix);
        item.write(out);
        return out.toArray();
    }

    public static JournalRecord decode(byte[] bytes) {
        BinaryReader in = new BinaryReader(bytes);
        JournalRecord record =
                new JournalRecord(ChangeHeader.read(in, VERSION), in.bytes(), Item.read(in));
        in.expectEnd();
        return record;
    }

    /** Returns the item of a record, without reading the rest. */
    public static Bytes itemSuffix(byte[] bytes) {
        return ChangeHeader.rest(bytes, VERSION).bytes();
    }

    /** Returns the docid of a record's item, without reading its body. */
    public static long docid(byte[] bytes) {
        BinaryReader in = ChangeHeader.rest(bytes, VERSION);
        in.bytes();
        return in.u64();
    }

    /**
     * The change as readers see it.
     *
     * @param previous for a replace: the version before, if it is still kept
     */
    public ItemVersion toVersion(
            long lsn, PartitionKeyDefinition definition, Optional<Item> previous) {
        return new ItemVersion(
                header.operation(),
                header.cause() == Cause.TTL,
                lsn,
                header.timeMillis(),
                header.previousLsn(),
                Keys.itemKey(itemSuffix, definition),
                item,
                previous);
    }
}
