package orrery.partition.api;

import java.util.List;
import java.util.Optional;
import orrery.model.EffectiveKey;
import orrery.model.KeyViolation;
import orrery.model.PartitionId;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.metering.KeyAmount;
import orrery.model.metering.Traffic;

/** The answer to a {@link ControlRequest} or a {@link SetRequest}. */
public sealed interface ControlResponse extends PartitionResponse {
    /** A command about the partition itself has been carried out. */
    record Done() implements ControlResponse {
        @Override
        public ResponseKind kind() {
            return ResponseKind.DONE;
        }

        @Override
        public void write(BinaryWriter out) {
            // There is nothing to say but the kind.
        }
    }

    /**
     * @param reindexPercent how much of the data is indexed under the present policy
     * @param violation the key of a new unique index that two items have, if so: the index cannot
     *     be finished
     * @param failure why the partition takes no more writes, if so
     */
    record Description(
            long headLsn,
            long items,
            long itemBytes,
            long indexBytes,
            int reindexPercent,
            Optional<KeyViolation> violation,
            Optional<String> failure)
            implements ControlResponse {
        @Override
        public ResponseKind kind() {
            return ResponseKind.DESCRIPTION;
        }

        @Override
        public void write(BinaryWriter out) {
            out.u64(headLsn)
                    .u64(items)
                    .u64(itemBytes)
                    .u64(indexBytes)
                    .u8(reindexPercent)
                    .optional(violation, (w, taken) -> taken.write(w))
                    .optional(failure, BinaryWriter::string);
        }

        static Description read(BinaryReader in) {
            return new Description(
                    in.u64(),
                    in.u64(),
                    in.u64(),
                    in.u64(),
                    in.u8(),
                    in.optional(KeyViolation::read),
                    in.optional(BinaryReader::string));
        }
    }

    /**
     * An operator's view of a partition.
     *
     * @param budget absent until the partition has been told
     */
    record Inspection(
            Description description,
            Optional<Budget> budget,
            Traffic lastSecond,
            Traffic lastMinute,
            Traffic lastHour,
            List<KeyAmount> largestKeys,
            List<KeyAmount> hottestKeys)
            implements ControlResponse {
        public Inspection {
            largestKeys = List.copyOf(largestKeys);
            hottestKeys = List.copyOf(hottestKeys);
        }

        @Override
        public ResponseKind kind() {
            return ResponseKind.INSPECTION;
        }

        @Override
        public void write(BinaryWriter out) {
            description.write(out);
            out.optional(budget, (w, told) -> told.write(w));
            lastSecond.write(out);
            lastMinute.write(out);
            lastHour.write(out);
            out.list(largestKeys, (w, key) -> key.write(w))
                    .list(hottestKeys, (w, key) -> key.write(w));
        }

        static Inspection read(BinaryReader in) {
            return new Inspection(
                    Description.read(in),
                    in.optional(Budget::read),
                    Traffic.read(in),
                    Traffic.read(in),
                    Traffic.read(in),
                    in.list(KeyAmount::read),
                    in.list(KeyAmount::read));
        }
    }

    /** The partition has been split; the right side begins here. */
    record SplitAt(EffectiveKey at) implements ControlResponse {
        @Override
        public ResponseKind kind() {
            return ResponseKind.SPLIT_AT;
        }

        @Override
        public void write(BinaryWriter out) {
            out.bytes(at.bytes());
        }

        static SplitAt read(BinaryReader in) {
            return new SplitAt(new EffectiveKey(in.bytes()));
        }
    }

    /**
     * A page of large partitions in the order of their numbers.
     *
     * @param more whether others follow the last one
     */
    record LargePartitions(List<PartitionId> partitions, boolean more) implements ControlResponse {
        public LargePartitions {
            partitions = List.copyOf(partitions);
            if (more && partitions.isEmpty()) {
                throw new IllegalArgumentException("an empty page leads nowhere");
            }
        }

        @Override
        public ResponseKind kind() {
            return ResponseKind.LARGE_PARTITIONS;
        }

        @Override
        public void write(BinaryWriter out) {
            out.list(partitions, (w, id) -> id.write(w)).bool(more);
        }

        static LargePartitions read(BinaryReader in) {
            return new LargePartitions(in.list(PartitionId::read), in.bool());
        }
    }

    /**
     * Every later change of the partition has this time or a later one.
     *
     * @param headLsn all changes before that time have this LSN or a lower one
     */
    record TimeReached(long timeMillis, long headLsn) implements ControlResponse {
        @Override
        public ResponseKind kind() {
            return ResponseKind.TIME_REACHED;
        }

        @Override
        public void write(BinaryWriter out) {
            out.u64(timeMillis).u64(headLsn);
        }

        static TimeReached read(BinaryReader in) {
            return new TimeReached(in.u64(), in.u64());
        }
    }

    /**
     * The place of the last change of a partition.
     *
     * @param headLsn no change that was made before the answer has a higher one
     */
    record Head(long headLsn) implements ControlResponse {
        @Override
        public ResponseKind kind() {
            return ResponseKind.HEAD;
        }

        @Override
        public void write(BinaryWriter out) {
            out.u64(headLsn);
        }

        static Head read(BinaryReader in) {
            return new Head(in.u64());
        }
    }
}
