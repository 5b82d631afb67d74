package orrery.cluster.catalog;

import java.util.List;
import java.util.Locale;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.model.codec.MalformedRecordException;
import orrery.model.resource.ReshapeEvent;
import orrery.partition.api.SplitAim;

/**
 * A change of a container's ranges that is decided and not yet published. There is one at a time
 * per container.
 */
public sealed interface Reshape {
    /** Every range it begins or ends with. */
    List<Integer> ranges();

    /**
     * @param leftSegment the new segment of the left child
     * @param rightSegment the new segment of the right child
     */
    record Split(int range, int left, int right, int leftSegment, int rightSegment, SplitAim aim)
            implements Reshape {
        @Override
        public List<Integer> ranges() {
            return List.of(range, left, right);
        }
    }

    /**
     * @param segment the new segment of the range that takes their place
     */
    record Merge(int left, int right, int into, int segment) implements Reshape {
        @Override
        public List<Integer> ranges() {
            return List.of(left, right, into);
        }
    }

    /** Returns the event that is remembered. */
    default ReshapeEvent happened(long timeMillis, long durationMillis) {
        return switch (this) {
            case Split split ->
                    new ReshapeEvent(
                            List.of(split.range),
                            List.of(split.left, split.right),
                            split.aim.name().toLowerCase(Locale.ROOT),
                            timeMillis,
                            durationMillis);
            case Merge merge ->
                    new ReshapeEvent(
                            List.of(merge.left, merge.right),
                            List.of(merge.into),
                            "merge",
                            timeMillis,
                            durationMillis);
        };
    }

    default void write(BinaryWriter out) {
        switch (this) {
            case Split split ->
                    out.u8(1)
                            .u32(split.range)
                            .u32(split.left)
                            .u32(split.right)
                            .u32(split.leftSegment)
                            .u32(split.rightSegment)
                            .enumeration(split.aim);
            case Merge merge ->
                    out.u8(2).u32(merge.left).u32(merge.right).u32(merge.into).u32(merge.segment);
        }
    }

    static Reshape read(BinaryReader in) {
        return switch (in.u8()) {
            case 1 ->
                    new Split(
                            in.u32(),
                            in.u32(),
                            in.u32(),
                            in.u32(),
                            in.u32(),
                            in.enumeration(SplitAim.class));
            case 2 -> new Merge(in.u32(), in.u32(), in.u32(), in.u32());
            default -> throw new MalformedRecordException("unknown kind of reshape");
        };
    }
}
