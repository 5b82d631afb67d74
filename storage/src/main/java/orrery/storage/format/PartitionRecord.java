package orrery.storage.format;

import java.util.List;
import orrery.model.Bytes;
import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;

/**
 * Everything a physical partition remembers besides its data. Rewritten with every entry that
 * touches the partition.
 *
 * @param segments where the partition's index entries and change records are, own segment last
 * @param headLsn LSN of the last change
 * @param timeMillis effective time of the last command; never falls
 * @param nextDocid counter for the docids born here
 * @param definitionVersion version of the definition in force
 * @param policyVersion version that last changed the indexing policy
 * @param reindexAfter while a changed policy is being carried out: the key up to which it is done
 * @param reindexed items passed so far by that work
 */
public record PartitionRecord(
        KeyRange keys,
        List<Segment> segments,
        long headLsn,
        long timeMillis,
        long nextDocid,
        long items,
        long itemBytes,
        long indexBytes,
        int definitionVersion,
        int policyVersion,
        boolean reindexing,
        Bytes reindexAfter,
        long reindexed) {
    private static final int VERSION = 1;

    /** Entries of the segment count only where their item lies inside the clip. */
    public record Segment(int number, KeyRange clip) {}

    public PartitionRecord {
        segments = List.copyOf(segments);
    }

    /** A partition that has just been opened. LSN 1 is its opening; no item has it. */
    public static PartitionRecord opened(
            PartitionId id, KeyRange keys, long timeMillis, int definitionVersion) {
        return new PartitionRecord(
                keys,
                List.of(new Segment(id.range(), keys)),
                1,
                timeMillis,
                1,
                0,
                0,
                0,
                definitionVersion,
                definitionVersion,
                false,
                Bytes.EMPTY,
                0);
    }

    public int ownSegment() {
        return segments.getLast().number();
    }

    public byte[] encode() {
        BinaryWriter out = new BinaryWriter(160).u8(VERSION);
        keys.write(out);
        out.list(
                segments,
                (w, segment) -> {
                    w.u32(segment.number());
                    segment.clip().write(w);
                });
        return out.u64(headLsn)
                .u64(timeMillis)
                .u64(nextDocid)
                .u64(items)
                .u64(itemBytes)
                .u64(indexBytes)
                .u32(definitionVersion)
                .u32(policyVersion)
                .bool(reindexing)
                .bytes(reindexAfter)
                .u64(reindexed)
                .toArray();
    }

    public static PartitionRecord decode(byte[] bytes) {
        BinaryReader in = new BinaryReader(bytes);
        if (in.u8() != VERSION) {
            throw new MalformedRecordException("unknown version of a partition record");
        }
        PartitionRecord record =
                new PartitionRecord(
                        KeyRange.read(in),
                        in.list(r -> new Segment(r.u32(), KeyRange.read(r))),
                        in.u64(),
                        in.u64(),
                        in.u64(),
                        in.u64(),
                        in.u64(),
                        in.u64(),
                        in.u32(),
                        in.u32(),
                        in.bool(),
                        in.bytes(),
                        in.u64());
        in.expectEnd();
        if (record.segments().isEmpty()) {
            throw new MalformedRecordException("a partition record names no segment");
        }
        return record;
    }
}
