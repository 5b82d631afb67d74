package orrery.storage.format;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import orrery.model.Bytes;
import orrery.model.EffectiveKey;
import orrery.model.KeyRange;
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
 * @param definitionVersion version of the definition in force
 * @param policyVersion version that last changed the indexing policy
 * @param reindexing whether index entries are being carried to the present policy and to the own
 *     segment
 * @param reindexAfter the key up to which that is done
 * @param split the split that is being prepared
 * @param journals where all versions of the past time are, own one last; empty if they are not kept
 * @param standing how the partition stands with the set and the catalog
 */
public record PartitionRecord(
        KeyRange keys,
        List<Segment> segments,
        long headLsn,
        long timeMillis,
        Counters counters,
        int definitionVersion,
        int policyVersion,
        boolean reindexing,
        Bytes reindexAfter,
        Optional<PreparedSplit> split,
        List<Journal> journals,
        Standing standing) {
    /** 6: journals say up to which time versions may be missing. */
    private static final int VERSION = 6;

    /** Entries of the segment count only where their item lies inside the clip. */
    public record Segment(int number, KeyRange clip) {}

    /**
     * The versions that were written into one segment. Other than index entries they are never
     * carried to another one: in time they are of no use.
     *
     * @param floorLsn up to here versions may be missing, because they are too old or because none
     *     were kept then
     * @param floorMillis no version with a later time is missing; 0 where none is
     * @param lastLsn no version after this one; {@link Long#MAX_VALUE} while it is written to
     * @param closedMillis when the last could have been written; 0 while it is written to
     */
    public record Journal(
            Segment segment, long floorLsn, long floorMillis, long lastLsn, long closedMillis) {
        /** One that is being written to, and has all versions of its segment. */
        public static Journal open(Segment segment) {
            return open(segment, 0, 0);
        }

        /** One that is being written to from now on. */
        public static Journal open(Segment segment, long floorLsn, long floorMillis) {
            return new Journal(segment, floorLsn, floorMillis, Long.MAX_VALUE, 0);
        }

        public boolean isOpen() {
            return lastLsn == Long.MAX_VALUE;
        }

        public Journal closed(long headLsn, long timeMillis) {
            return isOpen()
                    ? new Journal(segment, floorLsn, floorMillis, headLsn, timeMillis)
                    : this;
        }

        /** The same, without the versions up to an LSN, none of which has a later time. */
        public Journal withFloor(long lsn, long millis) {
            return lsn <= floorLsn
                    ? this
                    : new Journal(
                            segment, lsn, Math.max(floorMillis, millis), lastLsn, closedMillis);
        }

        public Journal withClip(KeyRange clip) {
            return new Journal(
                    new Segment(segment.number(), clip),
                    floorLsn,
                    floorMillis,
                    lastLsn,
                    closedMillis);
        }

        void write(BinaryWriter out) {
            writeSegment(out, segment);
            out.u64(floorLsn).u64(floorMillis).u64(lastLsn).u64(closedMillis);
        }

        static Journal read(BinaryReader in) {
            return new Journal(readSegment(in), in.u64(), in.u64(), in.u64(), in.u64());
        }
    }

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

    /**
     * How a partition stands with its set and with the catalog.
     *
     * @param failure why it takes no more writes, if so
     * @param setEpoch the epoch of its range in the set; 0 until sets have epochs
     * @param operation the last operation of the catalog that changed it; 0 if none has a number
     * @param catalogTerm the term in which the catalog ordered it; 0 as long as there are no terms
     * @param budgetMaximum request units per second that it may use at most; 0 until it is told
     * @param slot the slot that it shares with other containers; 0 for none
     * @param extensions fields of later releases, kept as they are
     */
    public record Standing(
            Optional<Failure> failure,
            long setEpoch,
            long operation,
            long catalogTerm,
            long budgetMaximum,
            int slot,
            Bytes extensions) {
        public static final Standing NEW =
                new Standing(Optional.empty(), 0, 0, 0, 0, 0, Bytes.EMPTY);

        public Standing withFailure(Optional<Failure> next) {
            return new Standing(
                    next, setEpoch, operation, catalogTerm, budgetMaximum, slot, extensions);
        }

        void write(BinaryWriter out) {
            BinaryWriter fields = new BinaryWriter(64);
            fields.optional(failure, (w, failed) -> failed.write(w))
                    .u64(setEpoch)
                    .u64(operation)
                    .u64(catalogTerm)
                    .u64(budgetMaximum)
                    .u32(slot)
                    .raw(extensions);
            out.bytes(fields.toBytes());
        }

        static Standing read(BinaryReader in) {
            BinaryReader fields = new BinaryReader(in.bytes());
            return new Standing(
                    fields.optional(Failure::read),
                    fields.u64(),
                    fields.u64(),
                    fields.u64(),
                    fields.u64(),
                    fields.u32(),
                    Bytes.wrap(fields.rest()));
        }
    }

    /**
     * A command could not be applied. Nothing of it was, and nothing is written here any more.
     *
     * @param position of its entry in the log
     */
    public record Failure(String reason, long position) {
        void write(BinaryWriter out) {
            out.string(reason).u64(position);
        }

        static Failure read(BinaryReader in) {
            return new Failure(in.string(), in.u64());
        }
    }

    public PartitionRecord {
        segments = List.copyOf(segments);
        journals = List.copyOf(journals);
    }

    /** A partition that has just been opened. LSN 1 is its opening; no item has it. */
    public static PartitionRecord opened(
            Segment own, long timeMillis, int definitionVersion, boolean keepsVersions) {
        return new PartitionRecord(
                own.clip(),
                List.of(own),
                1,
                timeMillis,
                Counters.first(),
                definitionVersion,
                definitionVersion,
                false,
                Bytes.EMPTY,
                Optional.empty(),
                keepsVersions ? List.of(Journal.open(own)) : List.of(),
                Standing.NEW);
    }

    public DataSize size() {
        return counters.size();
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
        out.list(segments, PartitionRecord::writeSegment);
        out.u64(headLsn).u64(timeMillis);
        counters.write(out);
        out.u32(definitionVersion)
                .u32(policyVersion)
                .bool(reindexing)
                .bytes(reindexAfter)
                .optional(split, (w, prepared) -> prepared.write(w))
                .list(journals, (w, journal) -> journal.write(w));
        standing.write(out);
        return out.toArray();
    }

    private static void writeSegment(BinaryWriter out, Segment segment) {
        out.u32(segment.number());
        segment.clip().write(out);
    }

    private static Segment readSegment(BinaryReader in) {
        return new Segment(in.u32(), KeyRange.read(in));
    }

    public static PartitionRecord decode(byte[] bytes) {
        BinaryReader in = new BinaryReader(bytes);
        if (in.u8() != VERSION) {
            throw new MalformedRecordException("unknown version of a partition record");
        }
        PartitionRecord record =
                new PartitionRecord(
                        KeyRange.read(in),
                        in.list(PartitionRecord::readSegment),
                        in.u64(),
                        in.u64(),
                        Counters.read(in),
                        in.u32(),
                        in.u32(),
                        in.bool(),
                        in.bytes(),
                        in.optional(PreparedSplit::read),
                        in.list(Journal::read),
                        Standing.read(in));
        in.expectEnd();
        if (record.segments().isEmpty()) {
            throw new MalformedRecordException("a partition record names no segment");
        }
        return record;
    }
}
