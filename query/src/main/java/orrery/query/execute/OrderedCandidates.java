package orrery.query.execute;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import orrery.document.IndexValue;
import orrery.document.Value;
import orrery.model.Bytes;
import orrery.model.memory.MemoryAccount;
import orrery.query.index.IndexFilter;
import orrery.query.index.PathValues;
import orrery.query.index.ValueRanges;
import orrery.query.syntax.QueryError;

/**
 * Items in the order of an index, or in that of another language: then the index is walked one
 * range of types after the other. Items without a value at the path may have no entry there; they
 * are looked for among all items when it is their turn.
 *
 * <p>The index has only the beginning of a long string. Where it is cut, the entries that are alike
 * up to the cut are a run: their items tell the order. A run may be of any length, so only the
 * first places behind the last one served are kept, and the run is walked again for those that
 * follow.
 */
final class OrderedCandidates implements Candidates {
    private static final long MAX_RUN_BYTES = 8L << 20;

    /** The heap that a place takes besides its bytes. */
    private static final long PLACE_BYTES = 128;

    private final ItemSource source;
    private final PageWork work;
    private final Sorting sorting;
    private final List<Sorting.Stage> stages;
    private final Bytes undefined;

    private final UnaryOperator<Bytes> sortKey;
    private final List<Bytes> probeTerms;
    private final boolean isSure;
    private final int maxRun;
    private final List<ItemSource.EntryCursor> probes = new ArrayList<>();
    private final MemoryAccount.Part runMemory = MemoryAccount.current().part();

    private int stage;
    private @Nullable Place present;

    /** The next items of a run, sorted, and how many of them were served. */
    private List<Place> run = List.of();

    private int served;

    /** The common beginning of the run's terms, if it has more items than were kept. */
    private @Nullable Bytes unfinished;

    /** The place where a run goes on. */
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
    private boolean hasMoved;

    /**
     * @param probes terms that the items must have besides
     * @param isSure whether nothing else is asked of them
     * @param maxRun places that are kept of a run
     * @param sortKey that of the item with a key
     */
    OrderedCandidates(
            ItemSource source,
            PageWork work,
            Sorting sorting,
            List<Bytes> probes,
            boolean isSure,
            int maxRun,
            UnaryOperator<Bytes> sortKey,
            Optional<Position> start) {
        this.isSure = isSure;
        this.maxRun = maxRun;
        this.sortKey = sortKey;
        this.probeTerms = probes;
        for (Bytes term : probes) {
            this.probes.add(source.entries(term, ValueRanges.after(term), false));
        }
        this.source = source;
        this.work = work;
        this.sorting = sorting;
        this.stages = sorting.stages();
        this.undefined = sorting.key().ofEntry(IndexValue.encodeWhole(Value.Undefined.UNDEFINED));
        this.start = start.orElse(null);
        this.last = this.start;
        if (start.isPresent()) {
            stage = sorting.stageOf(start.get(), stages);
        }
    }

    @Override
    public Step next() {
        while (stage < stages.size()) {
            if (served < run.size()) {
                present = run.get(served++);
                moveTo(present);
                return Step.FOUND;
            }
            // A token may have to name a place by its item. There need not be one where a client
            // began, nor at the end of a run that left nothing: the page goes on.
            if (work.isEnough() && hasMoved && !isBehindEmptyRun) {
                return Step.PAUSED;
            }
            Optional<RangeWalk> entries = open();
            if (entries.isPresent() && advance(entries.get())) {
                work.entry();
                OptionalInt cutEnd = cutEnd(entries.get());
                if (cutEnd.isPresent()) {
                    gather(entries.get(), cutEnd.getAsInt());
                    isBehindEmptyRun = run.isEmpty();
                    continue;
                }
                isBehindEmptyRun = false;
                present = place(entries.get());
                moveTo(present);
                if (passes(entries.get())) {
                    return Step.FOUND;
                }
                continue;
            }
            closeWalk();
            stage++;
            // The position was one of the stage before, even if the filter left nothing there.
            start = null;
        }
        return Step.FINISHED;
    }

    private void moveTo(Place place) {
        last = at(place);
        hasMoved = true;
    }

    /** The place of an item in the order. */
    private record Place(Bytes sortKey, long docid, Bytes key) {
        long bytes() {
            return PLACE_BYTES + sortKey.length() + key.length();
        }
    }

    private Place place(RangeWalk entries) {
        return new Place(
                isUndefined() ? undefined : sorting.key().ofEntry(entries.value()),
                entries.entry().docid(),
                entries.entry().key());
    }

    /** Returns the offset in the entry at which a cut string ends. */
    private OptionalInt cutEnd(RangeWalk entries) {
        ItemSource.EntryCursor entry = entries.entry();
        return isUndefined()
                ? OptionalInt.empty()
                : sorting.key().cutEnd(entry.row(), entries.valueAt(), entry.termEnd());
    }

    /** The first of a run, behind the place where it is taken up. */
    private void gather(RangeWalk entries, int cutEnd) {
        Optional<Position> from = Optional.ofNullable(resumed);
        resumed = null;
        runMemory.close();
        int termAt = entries.entry().termStart();
        Bytes alike = Bytes.copyOf(entries.entry().row(), termAt, cutEnd - termAt);
        FirstInOrder<Place> first =
                new FirstInOrder<>(
                        (a, b) -> sorting.compare(a.sortKey, a.docid, b.sortKey, b.docid),
                        maxRun,
                        MAX_RUN_BYTES,
                        Place::bytes,
                        runMemory);
        boolean isMore = true;
        for (int count = 1; isMore && beginsWith(entries.entry(), alike); count++) {
            if (passes(entries)) {
                Bytes key = entries.entry().key();
                Place each = new Place(sortKey.apply(key), entries.entry().docid(), key);
                if (from.isEmpty() || sorting.isAhead(each.sortKey, each.docid, from.get())) {
                    first.offer(each);
                }
            }
            if (count > maxRun && work.isLate()) {
                throw QueryError.engine(
                        "The query must sort more strings that begin alike for "
                                + sorting.key().rules().textBytes()
                                + " bytes than one page can read. Add a filter.");
            }
            isMore = entries.next();
            work.entry();
        }
        isUnread = isMore;
        isAtEnd = !isMore;
        run = first.sorted();
        served = 0;
        unfinished = first.hasLeftOut() ? alike : null;
    }

    private static boolean beginsWith(ItemSource.EntryCursor entry, Bytes beginning) {
        int end = entry.termStart() + beginning.length();
        return end <= entry.termEnd()
                && Arrays.equals(
                        entry.row(),
                        entry.termStart(),
                        end,
                        beginning.unsafeArray(),
                        0,
                        beginning.length());
    }

    private boolean passes(RangeWalk entries) {
        if (!isUndefined()) {
            for (IndexFilter.OnPath condition : sorting.conditions()) {
                if (!condition.passes(entries.entry().row(), entries.valueAt(), work.effort())) {
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
            ValueRanges ranges = stages.get(stage).ranges();
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
        return stages.get(stage).isUndefined();
    }

    private boolean advance(RangeWalk entries) {
        if (!isUndefined()) {
            return walk(entries);
        }
        if (!hasAskedForGaps) {
            hasAskedForGaps = true;
            gaps =
                    source.without(sorting.key().parts().getFirst().path(), work::mayGoOn)
                            .map(Gaps::new);
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
        if (unfinished != null) {
            resumed = last;
            return seekRun(entries, unfinished);
        }
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
        if (isUndefined()) {
            return seek(entries, prefix(), from);
        }
        Bytes value = sorting.key().indexed(from.key());
        OptionalInt cutEnd = sorting.key().cutEnd(value.unsafeArray(), 0, value.length());
        if (cutEnd.isPresent()) {
            resumed = from;
            Bytes alike = Bytes.copyOf(value.unsafeArray(), 0, cutEnd.getAsInt());
            return seekRun(entries, Branch.join(prefix(), alike));
        }
        return seek(entries, Branch.join(prefix(), value), from);
    }

    /** To the first entry of a run, or behind where it would be. */
    private boolean seekRun(RangeWalk entries, Bytes alike) {
        return sorting.isBackward()
                ? entries.seek(ValueRanges.after(alike), 0)
                : entries.seek(alike, 0);
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
        unfinished = null;
        if (walk != null) {
            walk.close();
            walk = null;
        }
    }

    @Override
    public void close() {
        runMemory.close();
        closeWalk();
        probes.forEach(ItemSource.EntryCursor::close);
    }
}
