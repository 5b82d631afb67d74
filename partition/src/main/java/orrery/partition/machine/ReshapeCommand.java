package orrery.partition.machine;

import orrery.model.EffectiveKey;
import orrery.model.PartitionId;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.storage.format.DataSize;

/** A command that replaces partitions by others over the same rows, or makes ready for it. */
public sealed interface ReshapeCommand extends Command.OfPartition {
    /**
     * Counts the left side of a coming split apart from the rest.
     *
     * @param at where the right side begins; ignored if this very split is prepared already
     */
    record PrepareSplit(PartitionId partition, EffectiveKey at, int left, int right)
            implements ReshapeCommand {
        @Override
        public CommandKind kind() {
            return CommandKind.PREPARE_SPLIT;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            out.bytes(at.bytes()).u32(left).u32(right);
        }

        static PrepareSplit read(BinaryReader in) {
            return new PrepareSplit(
                    PartitionId.read(in), new EffectiveKey(in.bytes()), in.u32(), in.u32());
        }
    }

    /**
     * Replaces a partition by its two halves.
     *
     * @param leftSegment the new segment of the left child
     * @param rightSegment the new segment of the right child
     * @param prepared position of the entry that prepared the split
     * @param leftBefore the left side as that entry left it
     */
    record CommitSplit(
            PartitionId partition,
            int left,
            int right,
            int leftSegment,
            int rightSegment,
            long prepared,
            DataSize leftBefore,
            long stampMillis)
            implements ReshapeCommand {
        @Override
        public CommandKind kind() {
            return CommandKind.COMMIT_SPLIT;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            out.u32(left).u32(right).u32(leftSegment).u32(rightSegment).u64(prepared);
            leftBefore.write(out);
            out.u64(stampMillis);
        }

        static CommitSplit read(BinaryReader in) {
            return new CommitSplit(
                    PartitionId.read(in),
                    in.u32(),
                    in.u32(),
                    in.u32(),
                    in.u32(),
                    in.u64(),
                    DataSize.read(in),
                    in.u64());
        }
    }

    /**
     * Replaces a partition and its right neighbour by one.
     *
     * @param segment the new one, besides those of both
     */
    record MergePartitions(
            PartitionId partition, int right, int into, int segment, long stampMillis)
            implements ReshapeCommand {
        @Override
        public CommandKind kind() {
            return CommandKind.MERGE_PARTITIONS;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            out.u32(right).u32(into).u32(segment).u64(stampMillis);
        }

        static MergePartitions read(BinaryReader in) {
            return new MergePartitions(
                    PartitionId.read(in), in.u32(), in.u32(), in.u32(), in.u64());
        }
    }
}
