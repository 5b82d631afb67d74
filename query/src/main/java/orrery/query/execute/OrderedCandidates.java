package orrery.query.execute;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import orrery.document.IndexValue;
import orrery.document.Value;
import orrery.document.ValueTag;
import orrery.model.Bytes;
import orrery.query.index.IndexFilter;
import orrery.query.index.PathValues;
import orrery.query.index.ValueRanges;
import orrery.query.syntax.QueryError;

/**
 * Items in the order of an index. Those without a value at the path may have no entry there; they
 * come first, or last if the order descends, and are looked for among all items.
 */
final class OrderedCandidates implements Candidates {
    private static final int MAX_RUN = 20_000;
    private static final Bytes UNDEFINED = IndexValue.encode(Value.Undefined.UNDEFINED);

    private final ItemSource source;
    private final Work work;
    private final Sorting sorting;
    private final boolean[] stages;

    private final UnaryOperator<Bytes> sortKey;
    private final List<Bytes> probeTerms;
    private final boolean isSure;
    private final List<ItemSource.EntryCursor> probes = new ArrayList<>();

    private int stage;
    private @Nullable Place present;

    /** Items that share a term, sorted, and how many of them were served. */
    private List<Place> run = List.of();

    private int served;

    /** Where a run is to be taken up. */
    private @Nullable Position resumed;

    /** Behind a run: whether the walk stands at an entry that was not served, or at its end. */
    private boolean isUnread;

    private boolean isAtEnd;
    private boolean isBehindEmptyRun;
    private @Nullable RangeWalk walk;
    private boolean hasAskedForGaps;
    private Optional<Gaps> gaps = Optional.empty();
    private @Nullable Position start;
    private @Nullable Position last;

    /**
     * @param probes terms that the items must have besides
     * @param isSure whether nothing else is asked of them
     * @param sortKey that of the item with a key
     */
    OrderedCandidates(
            ItemSource source,
            Work work,
            Sorting sorting,
            List<Bytes> probes,
            boolean isSure,
            UnaryOperator<Bytes> sortKey,
            Optional<Position> start) {
        this.isSure = isSure;
        this.sortKey = sortKey;
        this.probeTerms = probes;
        for (Bytes term : probes) {
            this.probes.add(source.entries(term, ValueRanges.after(term), false));
        }
        this.source = source;
        this.work = work;
        this.sorting = sorting;
        // Each stage says whether it is that of the items without a value.
        this.stages =
                !sorting.undefinedApart()
                        ? new boolean[] {false}
                        : sorting.isBackward()
                                ? new boolean[] {false, true}
                                : new boolean[] {true, false};
        this.start = start.orElse(null);
        this.last = this.start;
        if (start.isPresent() && sorting.undefinedApart()) {
            boolean isUndefined = start.get().key().equals(UNDEFINED);
            stage = stages[0] == isUndefined ? 0 : 1;
        }
    }

    @Override
    public Step next() {
        while (stage < stages.length) {
            if (served < run.size()) {
                present = run.get(served++);
                last = at(present);
                return Step.FOUND;
            }
            // No place names the end of a run that left nothing: the page goes on to the next.
            if (work.isEnough() && last != null && !isBehindEmptyRun) {
                return Step.PAUSED;
            }
            Optional<RangeWalk> entries = open();
            if (entries.isPresent() && advance(entries.get())) {
                work.entry();
                if (isCut(entries.get())) {
                    gather(entries.get());
                    isBehindEmptyRun = run.isEmpty();
                    continue;
                }
                isBehindEmptyRun = false;
                present = place(entries.get());
                last = at(present);
                if (passes(entries.get())) {
                    return Step.FOUND;
                }
                continue;
            }
            closeWalk();
            stage++;
        }
        return Step.FINISHED;
    }

    /** Where an item stands in the order. */
    private record Place(Bytes sortKey, long docid, Bytes key) {}

    private Place place(RangeWalk entries) {
        return new Place(
                isUndefined() ? UNDEFINED : entries.value(),
                entries.entry().docid(),
                entries.entry().key());
    }

    /** Whether the entry is that of a string of which the index has only the beginning. */
    private boolean isCut(RangeWalk entries) {
        byte[] row = entries.entry().row();
        int end = entries.entry().termEnd();
        return !isUndefined()
                && !sorting.isComposite()
                && row[entries.valueAt()] == ValueTag.STRING
                && row[end - 2] == 0
                && row[end - 1] == 2;
    }

    /** Strings that begin alike share a term: their order is in the items. */
    private void gather(RangeWalk entries) {
        Optional<Position> from = Optional.ofNullable(resumed);
        resumed = null;
        Bytes term = entries.entry().term();
        run = new ArrayList<>();
        served = 0;
        boolean isMore = true;
        while (isMore && entries.entry().term().equals(term)) {
            if (passes(entries)) {
                Bytes key = entries.entry().key();
                Place each = new Place(sortKey.apply(key), entries.entry().docid(), key);
                if (from.isEmpty() || isAhead(each, from.get())) {
                    run.add(each);
                }
            }
            if (run.size() > MAX_RUN) {
                throw QueryError.engine(
                        "The query must sort more than "
                                + MAX_RUN
                                + " strings that begin alike for "
                                + IndexValue.MAX_TEXT_BYTES
                                + " bytes.");
            }
            isMore = entries.next();
            work.entry();
        }
        isUnread = isMore;
        isAtEnd = !isMore;
        run.sort((a, b) -> sorting.compare(a.sortKey, a.docid, b.sortKey, b.docid));
    }

    private boolean isAhead(Place place, Position from) {
        int order = sorting.compare(place.sortKey, place.docid, from.key(), from.docid());
        return from.isBehind() ? order > 0 : order >= 0;
    }

    private boolean passes(RangeWalk entries) {
        if (!isUndefined()) {
            for (IndexFilter.OnPath condition : sorting.conditions()) {
                if (!condition.passes(entries.entry().row(), entries.valueAt())) {
                    return false;
                }
            }
        }
        long docid = entries.entry().docid();
        for (int i = 0; i < probes.size(); i++) {
            work.entry();
            if (!probes.get(i).seek(probeTerms.get(i), docid) || probes.get(i).docid() != docid) {
                return false;
            }
        }
        return true;
    }

    private Optional<RangeWalk> open() {
        if (walk == null) {
            ValueRanges ranges =
                    sorting.undefinedApart()
                            ? sorting.ranges().intersect(ValueRanges.DEFINED)
                            : sorting.ranges();
            if (isUndefined()) {
                // Behind the term that every item has stands no value.
                ranges = ValueRanges.between(Bytes.EMPTY, Bytes.wrap(new byte[] {(byte) 0xFF}));
            }
            if (ranges.isEmpty()) {
                return Optional.empty();
            }
            walk = new RangeWalk(source, prefix(), ranges, sorting.isBackward());
        }
        return Optional.of(walk);
    }

    private Bytes prefix() {
        return isUndefined() ? source.everyItem() : sorting.prefix();
    }

    private boolean isUndefined() {
        return stages[stage];
    }

    private boolean advance(RangeWalk entries) {
        if (!isUndefined()) {
            return walk(entries);
        }
        if (!hasAskedForGaps) {
            hasAskedForGaps = true;
            gaps = source.without(sorting.key().parts().getFirst().path()).map(Gaps::new);
        }
        return gaps.isPresent() ? advance(entries, gaps.get()) : walk(entries);
    }

    /** To the next of the items that are known to have no value. */
    private boolean advance(RangeWalk entries, Gaps known) {
        Position from = start;
        start = null;
        while (true) {
            OptionalLong docid = known.next(sorting.isBackward(), Optional.ofNullable(from));
            if (docid.isEmpty()) {
                return false;
            }
            work.entry();
            if (entries.seek(prefix(), docid.getAsLong())
                    && entries.isAt(prefix(), docid.getAsLong())) {
                return true;
            }
        }
    }

    /** Docids in rising order, taken from one end. */
    private static final class Gaps {
        private final long[] docids;
        private int taken;

        Gaps(long[] docids) {
            this.docids = docids;
        }

        OptionalLong next(boolean isBackward, Optional<Position> from) {
            while (taken < docids.length) {
                long docid = docids[isBackward ? docids.length - 1 - taken : taken];
                taken++;
                if (from.isEmpty() || isAhead(docid, isBackward, from.get())) {
                    return OptionalLong.of(docid);
                }
            }
            return OptionalLong.empty();
        }

        private static boolean isAhead(long docid, boolean isBackward, Position from) {
            int order = Long.compareUnsigned(docid, from.docid()) * (isBackward ? -1 : 1);
            return from.isBehind() ? order > 0 : order >= 0;
        }
    }

    private boolean walk(RangeWalk entries) {
        if (isUnread || isAtEnd) {
            boolean isThere = isUnread;
            isUnread = false;
            return isThere;
        }
        Position from = start;
        if (from == null) {
            return entries.next();
        }
        start = null;
        if (isUndefined() || sorting.isComposite()) {
            return seek(
                    entries, isUndefined() ? prefix() : Branch.join(prefix(), from.key()), from);
        }
        Bytes value = IndexValue.shorten(from.key());
        Bytes term = Branch.join(prefix(), value);
        if (IndexValue.isCut(value)) {
            // All of those that share the term, to be sorted again.
            resumed = from;
            return entries.seek(term, sorting.isBackward() ? -1L : 0L);
        }
        return seek(entries, term, from);
    }

    private static boolean seek(RangeWalk entries, Bytes term, Position from) {
        boolean isFound = entries.seek(term, from.docid());
        boolean isPassed = isFound && from.isBehind() && entries.isAt(term, from.docid());
        return isPassed ? entries.next() : isFound;
    }

    private static Position at(Place place) {
        return new Position(
                Position.Order.SORTED, List.of(), 0, place.sortKey, place.docid, Position.ALL_ROWS);
    }

    @Override
    public Bytes key() {
        if (present == null) {
            throw new IllegalStateException("there is no candidate");
        }
        return present.key;
    }

    @Override
    public boolean isSure() {
        return isSure && !isUndefined();
    }

    @Override
    public boolean accepts(PathValues item) {
        if (!isUndefined()) {
            return true;
        }
        return !item.has(sorting.key().parts().getFirst().path());
    }

    @Override
    public Position position() {
        if (last == null) {
            throw new IllegalStateException("nothing has been read yet");
        }
        return last;
    }

    private void closeWalk() {
        isUnread = false;
        isAtEnd = false;
        if (walk != null) {
            walk.close();
            walk = null;
        }
    }

    @Override
    public void close() {
        closeWalk();
        probes.forEach(ItemSource.EntryCursor::close);
    }
}
