package orrery.storage.format;

import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.Item;
import orrery.model.ItemVersion;
import orrery.model.ItemVersion.Operation;
import orrery.model.PartitionKeyDefinition;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * One version of an item, kept after the next was written, or its end. Its LSN is in its key.
 *
 * @param expired for a delete: the item's time was over
 * @param timeMillis when the change was made
 * @param previousLsn LSN of the version before, 0 if there was none
 * @param itemSuffix the item's key without its container
 * @param item what was written; for a delete what was there before
 */
public record JournalRecord(
        Operation operation,
        boolean expired,
        long timeMillis,
        long previousLsn,
        Bytes itemSuffix,
        Item item) {
    private static final int VERSION = 1;

    public byte[] encode() {
        BinaryWriter out = new BinaryWriter(96 + itemSuffix.length() + item.body().length());
        out.u8(VERSION)
                .enumeration(operation)
                .bool(expired)
                .u64(timeMillis)
                .u64(previousLsn)
                .bytes(itemSuffix);
        item.write(out);
        return out.toArray();
    }

    public static JournalRecord decode(byte[] bytes) {
        BinaryReader in = start(bytes);
        JournalRecord record =
                new JournalRecord(
                        in.enumeration(Operation.class),
                        in.bool(),
                        in.u64(),
                        in.u64(),
                        in.bytes(),
                        Item.read(in));
        in.expectEnd();
        return record;
    }

    /** Returns the item of a record, without reading the rest. */
    public static Bytes itemSuffix(byte[] bytes) {
        return atSuffix(bytes).bytes();
    }

    /** Returns the docid of a record's item, without reading its body. */
    public static long docid(byte[] bytes) {
        BinaryReader in = atSuffix(bytes);
        in.bytes();
        return in.u64();
    }

    private static BinaryReader atSuffix(byte[] bytes) {
        BinaryReader in = start(bytes);
        in.enumeration(Operation.class);
        in.bool();
        in.u64();
        in.u64();
        return in;
    }

    /**
     * The change as readers see it.
     *
     * @param previous for a replace: the version before, if it is still kept
     */
    public ItemVersion toVersion(
            long lsn, PartitionKeyDefinition definition, Optional<Item> previous) {
        return new ItemVersion(
                operation,
                expired,
                lsn,
                timeMillis,
                previousLsn,
                Keys.itemKey(itemSuffix, definition),
                item,
                previous);
    }

    private static BinaryReader start(byte[] bytes) {
        BinaryReader in = new BinaryReader(bytes);
        if (in.u8() != VERSION) {
            throw new MalformedRecordException("unknown version of a journal record");
        }
        return in;
    }
}
