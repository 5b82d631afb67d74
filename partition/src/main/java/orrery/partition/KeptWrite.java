package orrery.partition;

import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.Item;
import orrery.model.RowKey;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.model.metering.Charge;
import orrery.partition.machine.Command;

/**
 * The part of an evaluated write's answer that neither its request nor its outcome tells.
 *
 * @param item the key of the item within its logical partition, which a search found
 * @param search the cost of finding the item
 * @param isWhole false if the images were too long to be kept
 * @param before the version that was replaced or deleted, if the request asked for it
 * @param body what the write made of the item, if the request asked for it
 */
record KeptWrite(
        RowKey item, Charge search, boolean isWhole, Optional<Item> before, Optional<Bytes> body) {
    private static final int VERSION = 1;

    /** A write that found its item by its key and shows none of its versions. */
    static KeptWrite ofItem(RowKey item) {
        return new KeptWrite(item, Charge.NONE, true, Optional.empty(), Optional.empty());
    }

    /** The part that is kept where the partition itself remembers the images. */
    Bytes encodeWithoutImages() {
        return new KeptWrite(item, search, true, Optional.empty(), Optional.empty()).encoded();
    }

    /** Returns the size of the images. */
    int imageBytes() {
        return before.map(version -> version.body().length()).orElse(0)
                + body.map(Bytes::length).orElse(0);
    }

    /** Returns the bytes to keep: all of it, or all but the images if they are too long. */
    Bytes encode() {
        Bytes whole = encoded();
        return whole.length() <= Command.MAX_ANSWER_BYTES
                ? whole
                : new KeptWrite(item, search, false, Optional.empty(), Optional.empty()).encoded();
    }

    private Bytes encoded() {
        BinaryWriter out = new BinaryWriter().u8(VERSION);
        item.write(out);
        search.write(out);
        return out.bool(isWhole)
                .optional(before, (w, version) -> version.write(w))
                .optional(body, BinaryWriter::bytes)
                .toBytes();
    }

    static KeptWrite decode(Bytes bytes) {
        BinaryReader in = new BinaryReader(bytes);
        if (in.u8() != VERSION) {
            throw new MalformedRecordException("unknown version of a write's answer");
        }
        return new KeptWrite(
                RowKey.read(in),
                Charge.read(in),
                in.bool(),
                in.optional(Item::read),
                in.optional(BinaryReader::bytes));
    }
}
