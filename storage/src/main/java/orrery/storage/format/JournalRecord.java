package orrery.storage.format;

import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.Item;
import orrery.model.ItemVersion;
import orrery.model.PartitionKeyDefinition;
import orrery.model.VersionPlace;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/**
 * One version of an item, kept after the next was written, or its end. Its LSN is in its key.
 *
 * @param itemSuffix the item's key without its container
 * @param item what was written; for a delete what was there before
 * @param before the version that was replaced, where its container keeps it with the replace; the
 *     header has the flag {@link ChangeHeader#BEFORE} then
 */
public record JournalRecord(
        ChangeHeader header, Bytes itemSuffix, Item item, Optional<Item> before) {
    private static final int VERSION = 2;

    /** Bytes of an item besides its body, and of two lengths. */
    private static final int ITEM_BYTES = 51;

    public JournalRecord {
        if (before.isPresent() != header.has(ChangeHeader.BEFORE)) {
            throw new IllegalArgumentException("a flag says if there is a version before");
        }
    }

    /** A version without the one before. */
    public JournalRecord(ChangeHeader header, Bytes itemSuffix, Item item) {
        this(header, itemSuffix, item, Optional.empty());
    }

    public byte[] encode() {
        int ofBefore = before.map(version -> version.body().length() + ITEM_BYTES).orElse(0);
        BinaryWriter out =
                new BinaryWriter(
                        header.length()
                                + itemSuffix.length()
                                + item.body().length()
                                + ITEM_BYTES
                                + ofBefore);
        header.write(out, VERSION);
        out.bytes(itemSuffix);
        item.write(out);
        before.ifPresent(version -> version.write(out));
        return out.toArray();
    }

    public static JournalRecord decode(byte[] bytes) {
        BinaryReader in = new BinaryReader(bytes);
        ChangeHeader header = ChangeHeader.read(in, VERSION);
        JournalRecord record =
                new JournalRecord(
                        header,
                        in.bytes(),
                        Item.read(in),
                        header.has(ChangeHeader.BEFORE)
                                ? Optional.of(Item.read(in))
                                : Optional.empty());
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
     * @param place behind which the next change is read
     * @param previous for a replace: the version before, if it is still kept
     */
    public ItemVersion toVersion(
            long lsn,
            VersionPlace place,
            PartitionKeyDefinition definition,
            Optional<Item> previous) {
        return new ItemVersion(
                header.operation(),
                header.cause() == Cause.TTL,
                lsn,
                header.timeMillis(),
                header.previousLsn(),
                Keys.itemKey(itemSuffix, definition),
                item,
                previous,
                new ItemVersion.Mark(place, header.has(ChangeHeader.UPDATE), header.transaction()));
    }
}
