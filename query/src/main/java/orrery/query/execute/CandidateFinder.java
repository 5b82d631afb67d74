package orrery.query.execute;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import orrery.document.IndexPathCodec;
import orrery.model.Bytes;
import orrery.query.dialect.SortOrder;
import orrery.query.index.IndexAvailability;
import orrery.query.index.IndexFilter;
import orrery.query.index.IndexUse;

/** Opens the candidates of a query where a page begins, and knows how they are found. */
final class CandidateFinder {
    /** Matching items that are sorted at most instead of following the order of an index. */
    private static final int MAX_SORTED = 5000;

    /**
     * Matches that are put into the order of their creation at most, where the index has them in
     * another one. docs/queries.md tells it.
     */
    static final int MAX_GATHERED = 16_384;

    /** Places that a page of a walk gets from entries in another order. */
    private static final int MAX_FIRST = 4096;

    /** The cost of loading and reading an item, in index entries. */
    private static final int ENTRIES_PER_DOCUMENT = 10;

    private final PreparedQuery query;
    private final ItemSource source;
    private final IndexAvailability index;
    private final PageLimits limits;
    private final PageWork work;
    private final Timings timings;
    private final AccessPlanner planner;
    private final @Nullable Sorting sorting;
    private final IndexReport report;

    CandidateFinder(
            PreparedQuery query,
            ItemSource source,
            IndexAvailability index,
            PageLimits limits,
            PageWork work,
            Timings timings) {
        this.limits = limits;
        this.query = query;
        this.source = source;
        this.index = index;
        this.work = work;
        this.timings = timings;
        this.report = new IndexReport(index);
        this.planner = new AccessPlanner(source, index);
        this.sorting =
                query.order().isEmpty() ? null : Sorting.of(query.order(), query.filter(), index);
    }

    Optional<Sorting> sorting() {
        return Optional.ofNullable(sorting);
    }

    IndexUse usedIndexes() {
        return report.used();
    }

    IndexUse indexUse() {
        return report.use(query.filter());
    }

    /**
     * @param path where the page before was, whose way is to be followed
     * @param start where to begin; the beginning if absent
     * @param judge tells whether a candidate matches, and its sort key
     * @param sortKey that of the item with a key
     */
    Candidates open(
            Optional<Position> path,
            Optional<Position> start,
            Function<Candidates, Optional<SortedCandidates.Judged>> judge,
            UnaryOperator<Bytes> sortKey) {
        boolean isSorted = path.isPresent() && path.get().order() == Position.Order.SORTED;
        if (path.isPresent() && isSorted != (sorting != null)) {
            throw Progress.invalid();
        }
        if (query.filter() instanceof IndexFilter.Nothing) {
            return new NoCandidates();
        }
        if (sorting == null) {
            return unsorted(path, start);
        }
        boolean isBetterSorted =
                timings.measure(
                        Timings.Kind.CHOOSE,
                        () -> !hasOrder(sorting, start) || isBetterSorted(sorting));
        return isBetterSorted ? sorted(sorting, start, judge) : ordered(sorting, start, sortKey);
    }

    /** The way that a query takes from its beginning. */
    AccessPlan plan() {
        if (query.filter() instanceof IndexFilter.Nothing) {
            return PlanBuilder.nothing();
        }
        Sorting order = sorting;
        if (order != null && hasOrder(order, Optional.empty()) && !isBetterSorted(order)) {
            return new PlanBuilder(index).order(order, probes(order));
        }
        boolean sorts = sorting != null;
        return switch (choose()) {
            case AccessPath.Nowhere _ -> PlanBuilder.nothing();
            case AccessPath.Scan _ -> PlanBuilder.items(sorts, !(isEverything() && isCounted()));
            case AccessPath.Entries entries ->
                    new PlanBuilder(index)
                            .entries(
                                    entries.branches(),
                                    sorts,
                                    !(isDecided(entries) && isCounted()));
        };
    }

    private Candidates unsorted(Optional<Position> path, Optional<Position> start) {
        Optional<Position.Order> order = path.map(Position::order);
        if (order.isPresent() && order.get() == Position.Order.ENTRIES) {
            return open(planner.again(query.filter(), path.get()), start, wanted());
        }
        // The merger of distinct results counts those that it gave, over several partitions:
        // their order must stay what it is when partitions split.
        boolean isAnyOrder = query.answer().isGrouped() || query.answer().isDistinct();
        if (order.isPresent() && isAnyOrder != (order.get() == Position.Order.ITEMS)) {
            throw Progress.invalid();
        }
        if (isAnyOrder) {
            return open(path.isEmpty() ? choose() : new AccessPath.Scan(), start, wanted());
        }
        return created(choose(), path, start);
    }

    /** Returns how many items may be of use, if all of them match. */
    private long wanted() {
        return query.answer().isGrouped()
                ? Long.MAX_VALUE
                // One more tells whether another page follows.
                : query.limit().skip() + Math.min(query.limit().take(), limits.maxRows()) + 1;
    }

    /**
     * The candidates in the order of their creation. Only where the index gives more of them than
     * can be sorted, and no page before has begun with that order, they come in the index's.
     */
    private Candidates created(AccessPath way, Optional<Position> path, Optional<Position> start) {
        if (way instanceof AccessPath.Entries entries) {
            if (path.isEmpty() && entries.isByDocid()) {
                return open(entries, start, wanted());
            }
            // A page that goes on has room for matches that came since the first.
            int most = path.isEmpty() ? MAX_GATHERED : 2 * MAX_GATHERED;
            Optional<List<ItemSource.Place>> matches =
                    isAtMost(most, entries)
                            ? work.whole(() -> gather(entries, first(start)))
                            : Optional.empty();
            if (matches.isPresent()) {
                report.used(entries.branches());
                return ScanCandidates.created(
                        source.at(matches.get(), wanted()), work, isDecided(entries), start);
            }
            if (path.isEmpty()) {
                return open(entries, start, wanted());
            }
        }
        if (way instanceof AccessPath.Nowhere) {
            return new NoCandidates();
        }
        return ScanCandidates.created(
                source.created(first(start), wanted()), work, isEverything(), start);
    }

    /**
     * All candidates behind a docid in the order of their creation, however many they are. Where
     * the index has them in another order, one page after the other walks over all their entries,
     * as long as that is less work than to read all items.
     */
    Candidates byCreation(long after) {
        if (query.filter() instanceof IndexFilter.Nothing) {
            return new NoCandidates();
        }
        AccessPath way = choose();
        if (way instanceof AccessPath.Nowhere) {
            return new NoCandidates();
        }
        if (way instanceof AccessPath.Entries entries) {
            if (entries.isByDocid()) {
                return open(entries, Optional.of(behind(entries, after)), wanted());
            }
            Optional<Candidates> first = work.whole(() -> firstOf(entries, after));
            if (first.isPresent()) {
                report.used(entries.branches());
                return first.get();
            }
        }
        return ScanCandidates.created(
                source.created(after + 1, wanted()), work, isEverything(), Optional.empty());
    }

    private static Position behind(AccessPath.Entries entries, long docid) {
        return new Position(
                Position.Order.ENTRIES,
                entries.choices(),
                0,
                entries.branches().getFirst().from(),
                docid,
                Position.ALL_ROWS);
    }

    /** The first candidates behind a docid; empty if too many entries lead to candidates. */
    private Optional<Candidates> firstOf(AccessPath.Entries entries, long after) {
        // With m entries for N items, a page of k items reads about k N / m items to find them.
        long items = source.size().orElse(source.total());
        double most = Math.sqrt((double) wanted() * items * ENTRIES_PER_DOCUMENT);
        FirstPlaces first = new FirstPlaces(after, MAX_FIRST);
        long walked = 0;
        Candidates.Step step;
        try (Candidates found = entries(entries, 0, Optional.empty())) {
            step = found.next();
            while (step == Candidates.Step.FOUND && ++walked <= most) {
                first.offer(found.position().docid(), found::key);
                step = found.next();
            }
        }
        return step == Candidates.Step.FINISHED
                ? Optional.of(
                        ScanCandidates.first(
                                source.at(first.places(), wanted()),
                                work,
                                isDecided(entries),
                                first.rest()))
                : Optional.empty();
    }

    /** The docid that candidates begin with. */
    private static long first(Optional<Position> start) {
        return start.map(place -> place.isBehind() ? place.docid() + 1 : place.docid()).orElse(0L);
    }

    private boolean isAtMost(int most, AccessPath.Entries entries) {
        return timings.measure(
                Timings.Kind.CHOOSE, () -> planner.count(entries.branches(), most + 1) <= most);
    }

    /** The matches from a docid on, in the order of their docids; empty if time has run out. */
    private Optional<List<ItemSource.Place>> gather(AccessPath.Entries entries, long first) {
        List<ItemSource.Place> places = new ArrayList<>();
        Candidates.Step step;
        try (Candidates found = entries(entries, 0, Optional.empty())) {
            step = found.next();
            while (step == Candidates.Step.FOUND) {
                long docid = found.position().docid();
                if (Long.compareUnsigned(docid, first) >= 0) {
                    places.add(new ItemSource.Place(docid, found.key()));
                }
                step = found.next();
            }
        }
        if (step != Candidates.Step.FINISHED) {
            return Optional.empty();
        }
        places.sort(null);
        return Optional.of(withoutRepeated(places));
    }

    /** Several entries may lead to an item. */
    private static List<ItemSource.Place> withoutRepeated(List<ItemSource.Place> sorted) {
        List<ItemSource.Place> once = new ArrayList<>(sorted.size());
        for (ItemSource.Place place : sorted) {
            if (once.isEmpty() || once.getLast().docid() != place.docid()) {
                once.add(place);
            }
        }
        return once;
    }

    private AccessPath choose() {
        return timings.measure(Timings.Kind.CHOOSE, () -> planner.choose(query.filter()));
    }

    /**
     * @param wanted how many items may be of use, if all of them match
     */
    private Candidates open(AccessPath way, Optional<Position> start, long wanted) {
        return switch (way) {
            case AccessPath.Nowhere _ -> new NoCandidates();
            case AccessPath.Scan _ -> ScanCandidates.stored(source, work, isEverything(), start);
            case AccessPath.Entries entries -> {
                report.used(entries.branches());
                yield entries(entries, isDecided(entries) && isCounted() ? 0 : wanted, start);
            }
        };
    }

    private Candidates entries(AccessPath.Entries entries, long wanted, Optional<Position> start) {
        return new EntryCandidates(
                source, work, entries, isDecided(entries), wanted, timings, start);
    }

    /** Returns true if every item matches. */
    private boolean isEverything() {
        return query.isExact() && query.filter() instanceof IndexFilter.Everything;
    }

    /** Returns true if the query only counts the matching items. */
    private boolean isCounted() {
        return query.answer().isGrouped() && query.names().isNothingOfMatches();
    }

    /**
     * Returns true if following the entries leaves nothing of the filter to be checked on the
     * items.
     */
    private boolean isDecided(AccessPath.Entries entries) {
        if (!query.isExact() || entries.branches().size() != 1) {
            return false;
        }
        Branch only = entries.branches().getFirst();
        return only.driver().isPresent()
                && !only.meetsItemsTwice()
                && only.conditions().size() == parts(query.filter()).size();
    }

    private Candidates ordered(
            Sorting order, Optional<Position> start, UnaryOperator<Bytes> sortKey) {
        report.used(order);
        List<IndexFilter.OnPath> probes = probes(order);
        probes.forEach(report::used);
        return new OrderedCandidates(
                source,
                work,
                order,
                probes.stream().map(CandidateFinder::term).toList(),
                isEverything(),
                limits.maxDocuments(),
                sortKey,
                start);
    }

    /** The conditions besides the order that an entry of their own can be looked up for. */
    private List<IndexFilter.OnPath> probes(Sorting order) {
        return parts(query.filter()).stream()
                .filter(IndexFilter.OnPath.class::isInstance)
                .map(IndexFilter.OnPath.class::cast)
                .filter(part -> part.ranges().isPoint() && !order.isBoundedBy(part))
                .filter(index::canFind)
                .limit(AccessPlanner.MAX_CONDITIONS)
                .toList();
    }

    private static Bytes term(IndexFilter.OnPath point) {
        return Branch.join(
                IndexPathCodec.encode(point.path()), point.ranges().ranges().getFirst().from());
    }

    private Candidates sorted(
            Sorting order,
            Optional<Position> start,
            Function<Candidates, Optional<SortedCandidates.Judged>> judge) {
        // A page of sorted results needs to have seen all of them.
        work.mustFinish();
        Candidates all = open(choose(), Optional.empty(), Long.MAX_VALUE);
        Candidates candidates =
                new SortedCandidates(
                        source,
                        all,
                        order,
                        judge,
                        limits.maxRows() + 1,
                        start,
                        work.memory(),
                        query.order()
                                .byElements()
                                .map(elements -> OptionalInt.of(elements.tooMuch()))
                                .orElse(OptionalInt.empty()));
        work.mayPause();
        return candidates;
    }

    /**
     * Returns true if the query may follow the index, which has every item at its place, and the
     * place to go on from.
     */
    private boolean hasOrder(Sorting order, Optional<Position> start) {
        Optional<SortOrder.ByElements> elements = query.order().byElements();
        return elements.isEmpty()
                || (elements.get().mayFollowIndex()
                        && start.stream().allMatch(place -> order.key().isInIndex(place.key()))
                        && elements.get().elsewhere().stream().noneMatch(this::mayHaveEntries));
    }

    private boolean mayHaveEntries(IndexFilter.OnPath entries) {
        return !index.isIndexed(entries.path()) || planner.hasEntries(entries);
    }

    /**
     * With n of N items matching, a page of k results passes over about k N / n entries of the
     * order's index, or loads n items to sort them.
     */
    private boolean isBetterSorted(Sorting order) {
        if (!order.isIndexed()) {
            return true;
        }
        List<IndexFilter> others =
                parts(query.filter()).stream()
                        .filter(
                                part ->
                                        !(part instanceof IndexFilter.OnPath onPath
                                                && order.isBoundedBy(onPath)))
                        .toList();
        // Otherwise entries of other keys may lie between those of the one that is asked for.
        boolean isOneKey = query.order().isByKey() && order.isWithinOneValue();
        if (isOneKey && others.isEmpty()) {
            return false;
        }
        long wanted = Math.min(query.limit().take(), limits.maxRows());
        long passed = isOneKey ? source.size().orElse(source.total()) : source.total();
        double limit = Math.sqrt((double) wanted * passed / ENTRIES_PER_DOCUMENT);
        IndexFilter rest =
                others.isEmpty() ? new IndexFilter.Everything() : new IndexFilter.AllOf(others);
        return planner.isFew(rest, (int) Math.min(limit, MAX_SORTED));
    }

    private static List<IndexFilter> parts(IndexFilter filter) {
        return filter instanceof IndexFilter.AllOf(List<IndexFilter> all) ? all : List.of(filter);
    }

    /** The candidates of a filter that is never true. */
    private static final class NoCandidates implements Candidates {
        @Override
        public Step next() {
            return Step.FINISHED;
        }

        @Override
        public Bytes key() {
            throw new IllegalStateException("there is no candidate");
        }

        @Override
        public Position position() {
            throw new IllegalStateException("there is no candidate");
        }

        @Override
        public void close() {}
    }
}
