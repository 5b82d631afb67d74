package orrery.partition.api;

import orrery.model.KeyRange;
import orrery.model.PartitionId;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/** A request about the partition itself, from the catalog or an operator: nobody pays for it. */
public sealed interface ControlRequest extends PartitionRequest {
    PartitionId partition();

    /** Asks for counters and progress. */
    record Describe(PartitionId partition) implements ControlRequest {
        @Override
        public RequestKind kind() {
            return RequestKind.DESCRIBE;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
        }

        static Describe read(BinaryReader in) {
            return new Describe(PartitionId.read(in));
        }
    }

    /** Asks for all that an operator wants to see, with so many of its largest and hottest keys. */
    record Inspect(PartitionId partition, int keys) implements ControlRequest {
        @Override
        public RequestKind kind() {
            return RequestKind.INSPECT;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            out.u32(keys);
        }

        static Inspect read(BinaryReader in) {
            return new Inspect(PartitionId.read(in), in.u32());
        }
    }

    /** Tells what the partition may spend from now on. Not kept: told again after a start. */
    record SetBudget(PartitionId partition, Budget budget) implements ControlRequest {
        @Override
        public RequestKind kind() {
            return RequestKind.SET_BUDGET;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            budget.write(out);
        }

        static SetBudget read(BinaryReader in) {
            return new SetBudget(PartitionId.read(in), Budget.read(in));
        }
    }

    /**
     * Opens an empty partition; doing it twice is the same as once.
     *
     * @param segment a number from the catalog that no other segment of the container has had
     */
    record Open(PartitionId partition, KeyRange keys, int segment, PartitionDefinition definition)
            implements ControlRequest {
        @Override
        public RequestKind kind() {
            return RequestKind.OPEN;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            keys.write(out);
            out.u32(segment);
            definition.write(out);
        }

        static Open read(BinaryReader in) {
            return new Open(
                    PartitionId.read(in),
                    KeyRange.read(in),
                    in.u32(),
                    PartitionDefinition.read(in));
        }
    }

    /** Gives the partition a later version of its container's definition. */
    record SetDefinition(PartitionId partition, PartitionDefinition definition)
            implements ControlRequest {
        @Override
        public RequestKind kind() {
            return RequestKind.SET_DEFINITION;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            definition.write(out);
        }

        static SetDefinition read(BinaryReader in) {
            return new SetDefinition(PartitionId.read(in), PartitionDefinition.read(in));
        }
    }

    /** Removes a partition and all it holds; doing it twice is the same as once. */
    record Drop(PartitionId partition) implements ControlRequest {
        @Override
        public RequestKind kind() {
            return RequestKind.DROP;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
        }

        static Drop read(BinaryReader in) {
            return new Drop(PartitionId.read(in));
        }
    }

    /**
     * Replaces the partition by two new ones; answers where the right one begins. Doing it twice is
     * the same as once.
     *
     * @param leftSegment the new segment of the left one, numbered by the catalog
     * @param rightSegment the new segment of the right one
     */
    record Split(
            PartitionId partition,
            int left,
            int right,
            int leftSegment,
            int rightSegment,
            SplitAim aim)
            implements ControlRequest {
        @Override
        public RequestKind kind() {
            return RequestKind.SPLIT;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            out.u32(left).u32(right).u32(leftSegment).u32(rightSegment).enumeration(aim);
        }

        static Split read(BinaryReader in) {
            return new Split(
                    PartitionId.read(in),
                    in.u32(),
                    in.u32(),
                    in.u32(),
                    in.u32(),
                    in.enumeration(SplitAim.class));
        }
    }

    /**
     * Replaces the partition and its right neighbour by one; doing it twice is the same as once.
     *
     * @param segment the new one, numbered by the catalog
     */
    record Merge(PartitionId partition, int right, int into, int segment)
            implements ControlRequest {
        @Override
        public RequestKind kind() {
            return RequestKind.MERGE;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            out.u32(right).u32(into).u32(segment);
        }

        static Merge read(BinaryReader in) {
            return new Merge(PartitionId.read(in), in.u32(), in.u32(), in.u32());
        }
    }

    /** Lets a partition that has failed take writes again, without what made it fail. */
    record Repair(PartitionId partition) implements ControlRequest {
        @Override
        public RequestKind kind() {
            return RequestKind.REPAIR;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
        }

        static Repair read(BinaryReader in) {
            return new Repair(PartitionId.read(in));
        }
    }

    /**
     * Asks for an answer once the partition can make no more changes at this time or before it. No
     * entry is written for it where a later change says so already.
     */
    record AwaitTime(PartitionId partition, long timeMillis) implements ControlRequest {
        @Override
        public RequestKind kind() {
            return RequestKind.AWAIT_TIME;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            out.u64(timeMillis);
        }

        static AwaitTime read(BinaryReader in) {
            return new AwaitTime(PartitionId.read(in), in.u64());
        }
    }

    /**
     * Asks for an answer once the partition has made a change behind an LSN, or a while is over. A
     * partition that is split or merged meanwhile says so at once.
     */
    record AwaitChange(PartitionId partition, long afterLsn, long waitMillis)
            implements ControlRequest {
        @Override
        public RequestKind kind() {
            return RequestKind.AWAIT_CHANGE;
        }

        @Override
        public void write(BinaryWriter out) {
            partition.write(out);
            out.u64(afterLsn).u64(waitMillis);
        }

        static AwaitChange read(BinaryReader in) {
            return new AwaitChange(PartitionId.read(in), in.u64(), in.u64());
        }
    }
}
