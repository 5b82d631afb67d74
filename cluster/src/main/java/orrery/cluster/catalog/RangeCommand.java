package orrery.cluster.catalog;

import java.util.List;
import java.util.Optional;
import orrery.model.EffectiveKey;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;
import orrery.partition.api.SplitAim;

/** A change to the ranges of a container, or to the part of its throughput that each has. */
public sealed interface RangeCommand extends CatalogCommand {
    /** Decides a split; its children get the next range ids. */
    record BeginSplit(int container, int range, SplitAim aim) implements RangeCommand {
        @Override
        public CatalogCommandKind kind() {
            return CatalogCommandKind.BEGIN_SPLIT;
        }

        @Override
        public void write(BinaryWriter out) {
            out.u32(container).u32(range).enumeration(aim);
        }

        static BeginSplit read(BinaryReader in) {
            return new BeginSplit(in.u32(), in.u32(), in.enumeration(SplitAim.class));
        }
    }

    /** Decides the merge of a range with its right neighbour. */
    record BeginMerge(int container, int left) implements RangeCommand {
        @Override
        public CatalogCommandKind kind() {
            return CatalogCommandKind.BEGIN_MERGE;
        }

        @Override
        public void write(BinaryWriter out) {
            out.u32(container).u32(left);
        }

        static BeginMerge read(BinaryReader in) {
            return new BeginMerge(in.u32(), in.u32());
        }
    }

    /**
     * The partitions have done what was decided: the map follows.
     *
     * @param reshape what was done, so that a late repetition changes nothing
     * @param at where the right side of a split begins
     */
    record PublishReshape(
            int container, Reshape reshape, Optional<EffectiveKey> at, long durationMillis)
            implements RangeCommand {
        @Override
        public CatalogCommandKind kind() {
            return CatalogCommandKind.PUBLISH_RESHAPE;
        }

        @Override
        public void write(BinaryWriter out) {
            out.u32(container);
            reshape.write(out);
            out.optional(at, (w, key) -> w.bytes(key.bytes())).u64(durationMillis);
        }

        static PublishReshape read(BinaryReader in) {
            return new PublishReshape(
                    in.u32(),
                    Reshape.read(in),
                    in.optional(r -> new EffectiveKey(r.bytes())),
                    in.u64());
        }
    }

    /** The partitions cannot do it: nothing changes. */
    record CancelReshape(int container, Reshape reshape) implements RangeCommand {
        @Override
        public CatalogCommandKind kind() {
            return CatalogCommandKind.CANCEL_RESHAPE;
        }

        @Override
        public void write(BinaryWriter out) {
            out.u32(container);
            reshape.write(out);
        }

        static CancelReshape read(BinaryReader in) {
            return new CancelReshape(in.u32(), Reshape.read(in));
        }
    }

    /**
     * Divides a container's throughput over its ranges.
     *
     * @param epoch of the map it was worked out for; on another one it changes nothing
     * @param fractions one for each range, or none to give each the same
     */
    record Redistribute(int container, long epoch, List<Double> fractions) implements RangeCommand {
        public Redistribute {
            fractions = List.copyOf(fractions);
        }

        @Override
        public CatalogCommandKind kind() {
            return CatalogCommandKind.REDISTRIBUTE;
        }

        @Override
        public void write(BinaryWriter out) {
            out.u32(container)
                    .u64(epoch)
                    .list(fractions, (w, fraction) -> w.u64(Double.doubleToLongBits(fraction)));
        }

        static Redistribute read(BinaryReader in) {
            return new Redistribute(
                    in.u32(), in.u64(), in.list(r -> Double.longBitsToDouble(r.u64())));
        }
    }
}
