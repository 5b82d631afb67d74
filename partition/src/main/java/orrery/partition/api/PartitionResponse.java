package orrery.partition.api;

import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.Item;
import orrery.model.ItemKey;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/** What a physical partition answers. */
public sealed interface PartitionResponse {
    /** The item, and the partition's LSN at a moment not before the read. */
    record Found(Item item, ItemKey key, long headLsn, double chargeRu)
            implements PartitionResponse {}

    /**
     * @param item the version that was written; its body is empty unless the partition made it (a
     *     patch), because the caller already has it. Absent after a delete.
     */
    record Written(Change change, Optional<Item> item, long headLsn, double chargeRu)
            implements PartitionResponse {}

    /** What a write did to the item. */
    enum Change {
        CREATED,
        REPLACED,
        DELETED
    }

    /**
     * @param next where the following page begins; absent when nothing follows in this partition
     */
    record Feed(List<Item> items, Optional<Bytes> next, long headLsn, double chargeRu)
            implements PartitionResponse {
        public Feed {
            items = List.copyOf(items);
        }
    }

    /**
     * @param reindexPercent how much of the data is indexed under the present policy
     */
    record Description(
            long headLsn, long items, long itemBytes, long indexBytes, int reindexPercent)
            implements PartitionResponse {}

    /** A command about the partition itself has been carried out. */
    record Done() implements PartitionResponse {}

    /**
     * @param retryAfterMillis when to come back, 0 where waiting does not help
     */
    record Failed(ErrorCode code, String text, long retryAfterMillis, long headLsn, double chargeRu)
            implements PartitionResponse {}

    int VERSION = 1;

    static Bytes encode(PartitionResponse response) {
        BinaryWriter out = new BinaryWriter(256).u8(VERSION);
        switch (response) {
            case Found r -> {
                out.u8(1);
                r.item.write(out);
                r.key.write(out);
                tail(out, r.headLsn, r.chargeRu);
            }
            case Written r -> {
                out.u8(2).u8(r.change.ordinal()).optional(r.item, (w, item) -> item.write(w));
                tail(out, r.headLsn, r.chargeRu);
            }
            case Feed r -> {
                out.u8(3)
                        .list(r.items, (w, item) -> item.write(w))
                        .optional(r.next, BinaryWriter::bytes);
                tail(out, r.headLsn, r.chargeRu);
            }
            case Description r ->
                    out.u8(4)
                            .u64(r.headLsn)
                            .u64(r.items)
                            .u64(r.itemBytes)
                            .u64(r.indexBytes)
                            .u8(r.reindexPercent);
            case Done _ -> out.u8(5);
            case Failed r -> {
                out.u8(6).string(r.code.name()).string(r.text).u64(r.retryAfterMillis);
                tail(out, r.headLsn, r.chargeRu);
            }
        }
        return out.toBytes();
    }

    static PartitionResponse decode(Bytes bytes) {
        BinaryReader in = new BinaryReader(bytes);
        if (in.u8() != VERSION) {
            throw new MalformedRecordException("unknown version of a partition response");
        }
        PartitionResponse response =
                switch (in.u8()) {
                    case 1 -> new Found(Item.read(in), ItemKey.read(in), in.u64(), readCharge(in));
                    case 2 ->
                            new Written(
                                    in.enumeration(Change.class),
                                    in.optional(Item::read),
                                    in.u64(),
                                    readCharge(in));
                    case 3 ->
                            new Feed(
                                    in.list(Item::read),
                                    in.optional(BinaryReader::bytes),
                                    in.u64(),
                                    readCharge(in));
                    case 4 -> new Description(in.u64(), in.u64(), in.u64(), in.u64(), in.u8());
                    case 5 -> new Done();
                    case 6 ->
                            new Failed(
                                    readCode(in.string()),
                                    in.string(),
                                    in.u64(),
                                    in.u64(),
                                    readCharge(in));
                    default ->
                            throw new MalformedRecordException(
                                    "unknown kind of partition response");
                };
        in.expectEnd();
        return response;
    }

    private static void tail(BinaryWriter out, long headLsn, double chargeRu) {
        out.u64(headLsn).u64(Double.doubleToLongBits(chargeRu));
    }

    private static double readCharge(BinaryReader in) {
        return Double.longBitsToDouble(in.u64());
    }

    /** By name, so that a newer peer may add codes between ours. */
    private static ErrorCode readCode(String name) {
        try {
            return ErrorCode.valueOf(name);
        } catch (IllegalArgumentException unknown) {
            return ErrorCode.INTERNAL;
        }
    }
}
