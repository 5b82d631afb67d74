package orrery.query.execute;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import orrery.document.IndexPathCodec;
import orrery.model.Bytes;
import orrery.query.index.IndexAvailability;
import orrery.query.index.IndexFilter;
import orrery.query.index.IndexUse;

/** Opens the candidates of a query where a page begins, and knows how they are found. */
final class CandidateFinder {
    /** Matching items that are sorted at most instead of following the order of an index. */
    private static final int MAX_SORTED = 5000;

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
                timings.measure(Timings.Kind.CHOOSE, () -> isBetterSorted(sorting));
        return isBetterSorted ? sorted(sorting, start, judge) : ordered(sorting, start, sortKey);
    }

    private Candidates unsorted(Optional<Position> path, Optional<Position> start) {
        AccessPath way =
                path.isEmpty()
                        ? choose()
                        : path.get().order() == Position.Order.ITEMS
                                ? new AccessPath.Scan()
                                : planner.again(query.filter(), path.get());
        long wanted =
                query.answer().isGrouped()
                        ? Long.MAX_VALUE
                        // One more tells whether another page follows.
                        : query.limit().skip()
                                + Math.min(query.limit().take(), limits.maxRows())
                                + 1;
        return open(way, start, wanted);
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
            case AccessPath.Scan _ -> {
                boolean isSure =
                        query.isExact() && query.filter() instanceof IndexFilter.Everything;
                yield new ScanCandidates(source, work, isSure, start);
            }
            case AccessPath.Entries entries -> {
                report.used(entries.branches());
                boolean isDecided = isDecided(entries);
                yield new EntryCandidates(
                        source,
                        work,
                        entries,
                        isDecided,
                        isDecided && isCounted() ? 0 : wanted,
                        timings,
                        start);
            }
        };
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
        List<Bytes> probes = new ArrayList<>();
        for (IndexFilter part : parts(query.filter())) {
            if (probes.size() < AccessPlanner.MAX_CONDITIONS
                    && part instanceof IndexFilter.OnPath onPath
                    && onPath.ranges().isPoint()
                    && !isSortedBy(order, onPath)
                    && index.canFind(onPath)) {
                report.used(onPath);
                probes.add(
                        Branch.join(
                                IndexPathCodec.encode(onPath.path()),
                                onPath.ranges().ranges().getFirst().from()));
            }
        }
        boolean isSure = query.isExact() && query.filter() instanceof IndexFilter.Everything;
        return new OrderedCandidates(
                source, work, order, probes, isSure, limits.maxDocuments(), sortKey, start);
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
                        source, all, order, judge, limits.maxRows() + 1, start, work.memory());
        work.mayPause();
        return candidates;
    }

    /**
     * With n of N items matching, a page of k results passes over about k N / n entries of the
     * order's index, or loads n items to sort them.
     */
    private boolean isBetterSorted(Sorting order) {
        if (!order.isIndexed()) {
            return true;
        }
        long wanted = Math.min(query.limit().take(), limits.maxRows());
        double limit = Math.sqrt((double) wanted * source.total() / ENTRIES_PER_DOCUMENT);
        List<IndexFilter> others =
                parts(query.filter()).stream()
                        .filter(
                                part ->
                                        !(part instanceof IndexFilter.OnPath onPath
                                                && isSortedBy(order, onPath)))
                        .toList();
        IndexFilter rest =
                others.isEmpty() ? new IndexFilter.Everything() : new IndexFilter.AllOf(others);
        return planner.isFew(rest, (int) Math.min(limit, MAX_SORTED));
    }

    private static boolean isSortedBy(Sorting order, IndexFilter.OnPath onPath) {
        return order.key().parts().stream().anyMatch(part -> part.path().equals(onPath.path()));
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
