package orrery.partition.api;

import java.util.Optional;
import orrery.model.PartitionId;
import orrery.model.codec.BinaryReader;
import orrery.model.codec.BinaryWriter;

/** A request about all partitions of a replica set. */
public sealed interface SetRequest extends PartitionRequest {
    /**
     * Asks for the partitions that hold more than so many bytes of items and index entries, in the
     * order of their numbers.
     *
     * @param after the last partition of the page before
     * @param maxPartitions the length of a page: 1 to {@link #MAX_PAGE}
     */
    record ListLarge(long bytes, Optional<PartitionId> after, int maxPartitions)
            implements SetRequest {
        public static final int MAX_PAGE = 1000;

        public ListLarge {
            if (maxPartitions < 1 || maxPartitions > MAX_PAGE) {
                throw new IllegalArgumentException("a page lists 1 to 1000 partitions");
            }
        }

        @Override
        public RequestKind kind() {
            return RequestKind.LIST_LARGE;
        }

        @Override
        public void write(BinaryWriter out) {
            out.u64(bytes).optional(after, (w, id) -> id.write(w)).u32(maxPartitions);
        }

        static ListLarge read(BinaryReader in) {
            return new ListLarge(in.u64(), in.optional(PartitionId::read), in.u32());
        }
    }
}
