package orrery.query.execute;

import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import orrery.model.Bytes;
import orrery.query.index.ValueRange;
import orrery.query.index.ValueRanges;

/** The entries of one index that lie in some ranges, in the order of the index or against it. */
final class RangeWalk implements AutoCloseable {
    private final ItemSource.EntryCursor entries;
    private final Bytes prefix;
    private final List<ValueRange> ranges;
    private final boolean isBackward;
    private int range;
    private boolean isAtEntry;
    private boolean started;

    RangeWalk(ItemSource source, Bytes prefix, ValueRanges ranges, boolean isBackward) {
        this(prefix, ranges, isBackward, (from, to) -> source.entries(from, to, isBackward));
    }

    private RangeWalk(
            Bytes prefix,
            ValueRanges ranges,
            boolean isBackward,
            BiFunction<Bytes, Bytes, ItemSource.EntryCursor> entries) {
        this.prefix = prefix;
        this.ranges = isBackward ? ranges.ranges().reversed() : ranges.ranges();
        this.isBackward = isBackward;
        this.entries =
                entries.apply(
                        Branch.join(prefix, ranges.ranges().getFirst().from()),
                        Branch.join(prefix, ranges.ranges().getLast().to()));
    }

    /** A walk that also stops at the entries of items outside of the source. */
    static RangeWalk overAll(ItemSource source, Bytes prefix, ValueRanges ranges) {
        return new RangeWalk(prefix, ranges, false, source::walkedEntries);
    }

    boolean next() {
        isAtEntry = entries.next();
        started = true;
        return settle();
    }

    /** To the first entry of the walk that is not before this one. */
    boolean seek(Bytes term, long docid) {
        isAtEntry = entries.seek(term, docid);
        started = true;
        range = 0;
        return settle();
    }

    boolean hasStarted() {
        return started;
    }

    ItemSource.EntryCursor entry() {
        return entries;
    }

    int valueAt() {
        return entries.termStart() + prefix.length();
    }

    Bytes value() {
        return Bytes.copyOf(entries.row(), valueAt(), entries.termEnd() - valueAt());
    }

    boolean isAt(Bytes term, long docid) {
        return isAtEntry && entries.docid() == docid && entries.term().equals(term);
    }

    /** Goes on until the entry lies in a range; between two ranges it jumps. */
    private boolean settle() {
        while (isAtEntry && range < ranges.size()) {
            ValueRange present = ranges.get(range);
            if (isBackward ? compare(present.from()) > 0 : compare(present.to()) <= 0) {
                range++;
            } else if (isBackward ? compare(present.to()) <= 0 : compare(present.from()) > 0) {
                // Going back, the greatest docid under the bound; no term equals the bound itself.
                isAtEntry =
                        isBackward
                                ? entries.seek(Branch.join(prefix, present.to()), 0)
                                : entries.seek(Branch.join(prefix, present.from()), 0);
                if (isBackward && isAtEntry && compare(present.to()) <= 0) {
                    isAtEntry = entries.next();
                }
            } else {
                return true;
            }
        }
        return false;
    }

    /** A bound against the value of the present entry. */
    private int compare(Bytes bound) {
        byte[] bytes = bound.unsafeArray();
        return Arrays.compareUnsigned(
                bytes, 0, bytes.length, entries.row(), valueAt(), entries.termEnd());
    }

    @Override
    public void close() {
        entries.close();
    }
}
