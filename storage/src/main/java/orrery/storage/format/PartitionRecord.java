package orrery.storage.format;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.EffectiveKey;
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
 * @param reindexing whether index entries are being carried to the present policy and to the own
 *     segment
 * @param reindexAfter the key up to which that is done
 * @param reindexed items passed so far by that work
 * @param split the split that is being prepared
 */
public record PartitionRecord(
        KeyRange keys,
        List<Segment> segments,
        long headLsn,
        long timeMillis,
        long nextDocid,
        DataSize size,
        int definitionVersion,
        int policyVersion,
        boolean reindexing,
        Bytes reindexAfter,
        long reindexed,
        Optional<PreparedSplit> split) {
    private static final int VERSION = 2;

    /** Readers merge this many lists of entries at most. */
    public static final int MAX_SEGMENTS = 8;

    /** Entries of the segment count only where their item lies inside the clip. */
    public record Segment(int number, KeyRange clip) {}

    /**
     * A partition about to be cut in two.
     *
     * @param at where the right side begins
     * @param left range of the left child
     * @param right range of the right child
     * @param position of the log entry that prepared it
     * @param leftChange by how much the left side has changed since
     */
    public record PreparedSplit(
            EffectiveKey at, int left, int right, long position, DataSize leftChange) {
        public PreparedSplit plus(DataSize change) {
            return new PreparedSplit(at, left, right, position, leftChange.plus(change));
        }

        void write(BinaryWriter out) {
            out.bytes(at.bytes()).u32(left).u32(right).u64(position);
            leftChange.write(out);
        }

        static PreparedSplit read(BinaryReader in) {
            return new PreparedSplit(
                    new EffectiveKey(in.bytes()), in.u32(), in.u32(), in.u64(), DataSize.read(in));
        }
    }

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
                DataSize.NONE,
                definitionVersion,
                definitionVersion,
                false,
                Bytes.EMPTY,
                0,
                Optional.empty());
    }

    public int ownSegment() {
        return segments.getLast().number();
    }

    /** These segments as far as they reach into a range. */
    public static List<Segment> clipped(List<Segment> segments, KeyRange keys) {
        List<Segment> clipped = new ArrayList<>();
        for (Segment segment : segments) {
            segment.clip()
                    .intersect(keys)
                    .ifPresent(clip -> clipped.add(new Segment(segment.number(), clip)));
        }
        return clipped;
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
        out.u64(headLsn).u64(timeMillis).u64(nextDocid);
        size.write(out);
        return out.u32(definitionVersion)
                .u32(policyVersion)
                .bool(reindexing)
                .bytes(reindexAfter)
                .u64(reindexed)
                .optional(split, (w, prepared) -> prepared.write(w))
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
                        DataSize.read(in),
                        in.u32(),
                        in.u32(),
                        in.bool(),
                        in.bytes(),
                        in.u64(),
                        in.optional(PreparedSplit::read));
        in.expectEnd();
        if (record.segments().isEmpty()) {
            throw new MalformedRecordException("a partition record names no segment");
        }
        return record;
    }
}
