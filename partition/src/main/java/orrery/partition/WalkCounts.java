package orrery.partition;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import orrery.model.PartitionId;

/**
 * Remembers the counts of index entries by which queries choose their way, until something is
 * written to the partition. A count decides how items are found and never which, so one that is not
 * true any more would do no harm. In memory only, bounded, and shared by all requests.
 */
final class WalkCounts {
    private static final int MAX_PARTITIONS = 256;
    private static final int MAX_COUNTS = 64;

    private static final class State {
        private final long lsn;
        private final Map<Object, Integer> counts = new HashMap<>();

        State(long lsn) {
            this.lsn = lsn;
        }
    }

    private final Map<PartitionId, State> states =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<PartitionId, State> eldest) {
                    return size() > MAX_PARTITIONS;
                }
            };

    /**
     * Returns a count, which is made if it is not known.
     *
     * @param lsn of the last write to the partition
     * @param what is counted
     */
    int get(PartitionId partition, long lsn, Object what, IntSupplier count) {
        Integer known = find(partition, lsn, what);
        if (known != null) {
            return known;
        }
        int counted = count.getAsInt();
        put(partition, lsn, what, counted);
        return counted;
    }

    private synchronized @Nullable Integer find(PartitionId partition, long lsn, Object what) {
        State state = states.get(partition);
        return state == null || state.lsn != lsn ? null : state.counts.get(what);
    }

    private synchronized void put(PartitionId partition, long lsn, Object what, int counted) {
        State state = states.get(partition);
        if (state == null || state.lsn < lsn) {
            state = new State(lsn);
            states.put(partition, state);
        }
        if (state.lsn == lsn && state.counts.size() < MAX_COUNTS) {
            state.counts.put(what, counted);
        }
    }
}
