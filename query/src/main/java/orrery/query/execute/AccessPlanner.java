package orrery.query.execute;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import orrery.document.CompositeIndex;
import orrery.document.IndexPath;
import orrery.document.IndexPathCodec;
import orrery.model.Bytes;
import orrery.model.ErrorCode;
import orrery.model.OrreryException;
import orrery.query.index.CompositeRanges;
import orrery.query.index.EntryCondition;
import orrery.query.index.IndexAvailability;
import orrery.query.index.IndexFilter;
import orrery.query.index.IndexFilter.OnPath;
import orrery.query.index.NearCells;
import orrery.query.index.ValueRange;
import orrery.query.index.ValueRanges;

/**
 * Chooses how to find the items of a filter. If several conditions must hold, the one with the
 * fewest entries leads, as far as counting a few entries of each can tell; the others are probed or
 * checked on the item.
 */
final class AccessPlanner {
    /**
     * Alternatives that are read one after the other; with more they must have a path in common.
     */
    private static final int MAX_BRANCHES = 64;

    /** Conditions that are compared or probed; each opens a place in the index. */
    static final int MAX_CONDITIONS = 64;

    /** Entries counted to compare two conditions. */
    private static final int SAMPLE = 128;

    /** Entries counted to compare the paths of many alternatives, each of which has some. */
    private static final int SAMPLE_OF_MANY = 2048;

    /** A logical partition of so few items is read as quickly as its index. */
    private static final int SMALL_PARTITION = 64;

    /** A walk passes over so many entries while it would read an item. */
    private static final int ENTRIES_OF_AN_ITEM = 4;

    /** Entries walked over to find out if a key is better read. */
    private static final int MAX_STEPS = 16_384;

    /** A key of more items is not read as a whole because of what lies between its entries. */
    private static final int MAX_KEY_READ = 4 * MAX_STEPS;

    /** Stands for the index of the path where others have the number of a spatial index. */
    private static final int BY_PATH = Integer.MAX_VALUE;

    private final ItemSource source;
    private final IndexAvailability index;

    /** To cover a place with cells takes longer than to look for it here. */
    private final Map<IndexFilter.Near, Optional<Branch>> nearest = new HashMap<>();

    AccessPlanner(ItemSource source, IndexAvailability index) {
        this.source = source;
        this.index = index;
    }

    AccessPath choose(IndexFilter filter) {
        if (filter instanceof IndexFilter.Nothing) {
            return new AccessPath.Nowhere();
        }
        if (source.size().isPresent() && source.size().getAsLong() <= SMALL_PARTITION) {
            return new AccessPath.Scan();
        }
        Optional<AccessPath.Entries> entries = find(filter);
        if (entries.isEmpty()) {
            return new AccessPath.Scan();
        }
        if (source.size().isPresent()
                && isKeyRead(source.size().getAsLong(), entries.get().branches())) {
            return new AccessPath.Scan();
        }
        return entries.get();
    }

    /**
     * Returns true if it is cheaper to read all items of a key than to walk over entries: most of
     * its items match, or the entries of other keys between those of this one are too many.
     */
    private boolean isKeyRead(long size, List<Branch> branches) {
        int matches = (int) Math.min(size, SAMPLE * 8);
        int steps = (int) Math.min(size * ENTRIES_OF_AN_ITEM, MAX_STEPS);
        Sample sample = sample(branches, matches, steps);
        return sample.matches >= matches || (sample.steps >= steps && size <= MAX_KEY_READ);
    }

    /** The path that a page before has taken, so that its position means the same place. */
    AccessPath.Entries again(IndexFilter filter, Position position) {
        Deque<Integer> left = new ArrayDeque<>(position.choices());
        Optional<List<Branch>> branches = repeat(filter, left);
        if (branches.isEmpty() || !left.isEmpty() || !isIn(branches.get(), position)) {
            throw new OrreryException(
                    ErrorCode.BAD_REQUEST,
                    "Invalid Continuation Token. The filter of the query, or the indexing policy, has"
                            + " changed so much that there is no place to go on from; start again"
                            + " without a token.");
        }
        return new AccessPath.Entries(position.choices(), branches.get());
    }

    /** Another filter may lead through other indexes, in which the position is no place. */
    private static boolean isIn(List<Branch> branches, Position position) {
        return position.branch() < branches.size()
                && position.key().startsWith(branches.get(position.branch()).prefix());
    }

    Optional<AccessPath.Entries> find(IndexFilter filter) {
        return switch (filter) {
            case IndexFilter.Everything _, IndexFilter.Nothing _ -> Optional.empty();
            case OnPath onPath ->
                    index.canFind(onPath)
                            ? Optional.of(
                                    new AccessPath.Entries(List.of(), List.of(branch(onPath))))
                            : Optional.empty();
            case IndexFilter.Near near ->
                    near(near)
                            .map(
                                    branch ->
                                            new AccessPath.Entries(
                                                    List.of(choice(branch)), List.of(branch)));
            case IndexFilter.AnyOf(List<IndexFilter> parts) -> anyOf(parts);
            case IndexFilter.AllOf(List<IndexFilter> parts) -> allOf(parts);
        };
    }

    private Optional<AccessPath.Entries> anyOf(List<IndexFilter> parts) {
        if (parts.size() > MAX_BRANCHES) {
            return together(parts);
        }
        List<Integer> choices = new ArrayList<>();
        List<Branch> branches = new ArrayList<>();
        for (IndexFilter part : parts) {
            Optional<AccessPath.Entries> found = find(part);
            if (found.isEmpty()) {
                return Optional.empty();
            }
            choices.addAll(found.get().choices());
            branches.addAll(found.get().branches());
            if (branches.size() > MAX_BRANCHES) {
                return Optional.empty();
            }
        }
        return Optional.of(new AccessPath.Entries(choices, branches));
    }

    /**
     * One walk over the values that the alternatives have at a path which all of them fix, as when
     * a client names many items by id and key. The items are checked against the whole filter.
     */
    private Optional<AccessPath.Entries> together(List<IndexFilter> parts) {
        List<OnPath> common = common(parts);
        int best = 0;
        long fewest = Long.MAX_VALUE;
        for (int i = 0; i < common.size(); i++) {
            long count =
                    common.size() == 1 ? 0 : count(List.of(walk(common.get(i))), SAMPLE_OF_MANY);
            if (count < fewest) {
                fewest = count;
                best = i;
            }
        }
        return common.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new AccessPath.Entries(List.of(best), List.of(walk(common.get(best)))));
    }

    /** The paths at which every part has one value, with all these values. */
    private List<OnPath> common(List<IndexFilter> parts) {
        List<OnPath> common = new ArrayList<>();
        for (OnPath first : values(parts.getFirst()).values()) {
            List<ValueRanges> ranges = new ArrayList<>();
            for (IndexFilter part : parts) {
                OnPath value = values(part).get(first.path());
                if (value != null) {
                    ranges.add(value.ranges());
                }
            }
            if (ranges.size() == parts.size()) {
                common.add(
                        new OnPath(
                                first.path(),
                                ValueRanges.union(ranges),
                                Optional.empty(),
                                first.rules()));
            }
        }
        return common;
    }

    /** The conditions of a part that fix a value, by their paths; no item meets one twice. */
    private Map<IndexPath, OnPath> values(IndexFilter part) {
        Map<IndexPath, OnPath> values = new LinkedHashMap<>();
        List<IndexFilter> conditions =
                part instanceof IndexFilter.AllOf(List<IndexFilter> all) ? all : List.of(part);
        for (IndexFilter condition : conditions) {
            if (condition instanceof OnPath onPath
                    && onPath.isPoint()
                    && !onPath.hasElements()
                    && index.canFind(onPath)) {
                values.putIfAbsent(onPath.path(), onPath);
            }
        }
        return values;
    }

    /** Has no driver: its entries alone never decide. */
    private static Branch walk(OnPath values) {
        return new Branch(
                values.prefix(), values.ranges(), Optional.empty(), List.of(), List.of(values));
    }

    private Optional<AccessPath.Entries> allOf(List<IndexFilter> parts) {
        Optional<AccessPath.Entries> composite =
                composite(parts)
                        .map(
                                branch ->
                                        new AccessPath.Entries(
                                                List.of(parts.size()), List.of(branch)));
        List<Integer> places = new ArrayList<>();
        List<AccessPath.Entries> found = new ArrayList<>();
        for (int i = 0; i < parts.size() && found.size() < MAX_CONDITIONS; i++) {
            Optional<AccessPath.Entries> entries = find(parts.get(i));
            if (entries.isPresent()) {
                places.add(i);
                found.add(entries.get());
            }
        }
        if (found.isEmpty()) {
            return composite;
        }
        int best = best(found);
        if (composite.isPresent() && !isFewer(found.get(best), composite.get())) {
            return composite;
        }
        List<Integer> choices = new ArrayList<>();
        choices.add(places.get(best));
        choices.addAll(found.get(best).choices());
        return Optional.of(
                new AccessPath.Entries(
                        choices, withProbes(found.get(best).branches(), parts, places.get(best))));
    }

    /** A composite index has all its conditions in one place, but another may leave less. */
    private boolean isFewer(AccessPath.Entries entries, AccessPath.Entries composite) {
        return steps(entries.branches(), SAMPLE) < steps(composite.branches(), SAMPLE);
    }

    private int best(List<AccessPath.Entries> found) {
        int best = 0;
        long fewest = Long.MAX_VALUE;
        for (int i = 0; i < found.size() && found.size() > 1; i++) {
            List<Branch> branches = found.get(i).branches();
            // One that has as many steps as the best so far is none: there is no need to count on.
            int enough = (int) Math.min(SAMPLE, fewest / 2 + 1);
            // If all have more than were counted, look-ups go before ranges.
            long count = steps(branches, enough) * 2L + (isPoints(branches) ? 0 : 1);
            if (count < fewest) {
                fewest = count;
                best = i;
            }
        }
        return best;
    }

    private static boolean isPoints(List<Branch> branches) {
        return branches.stream().allMatch(Branch::isPoint);
    }

    private Optional<List<Branch>> repeat(IndexFilter filter, Deque<Integer> choices) {
        return switch (filter) {
            case IndexFilter.Everything _, IndexFilter.Nothing _ -> Optional.empty();
            case OnPath onPath ->
                    index.canFind(onPath) ? Optional.of(List.of(branch(onPath))) : Optional.empty();
            case IndexFilter.Near near -> {
                Integer choice = choices.poll();
                yield choice == null ? Optional.empty() : chosen(near, choice).map(List::of);
            }
            case IndexFilter.AnyOf(List<IndexFilter> parts) when parts.size() > MAX_BRANCHES -> {
                Integer choice = choices.poll();
                List<OnPath> common = common(parts);
                yield choice == null || choice < 0 || choice >= common.size()
                        ? Optional.empty()
                        : Optional.of(List.of(walk(common.get(choice))));
            }
            case IndexFilter.AnyOf(List<IndexFilter> parts) -> {
                List<Branch> branches = new ArrayList<>();
                for (IndexFilter part : parts) {
                    Optional<List<Branch>> found = repeat(part, choices);
                    if (found.isEmpty()) {
                        yield Optional.empty();
                    }
                    branches.addAll(found.get());
                }
                yield Optional.of(branches);
            }
            case IndexFilter.AllOf(List<IndexFilter> parts) -> {
                Integer place = choices.poll();
                if (place == null || place > parts.size()) {
                    yield Optional.empty();
                }
                if (place == parts.size()) {
                    yield composite(parts).map(List::of);
                }
                yield repeat(parts.get(place), choices)
                        .map(branches -> withProbes(branches, parts, place));
            }
        };
    }

    private static Branch branch(EntryCondition condition) {
        return new Branch(
                condition.prefix(),
                condition.ranges(),
                Optional.of(condition),
                List.of(),
                List.of(condition));
    }

    /** By a spatial index, or else by all that is at the path. */
    private Optional<Branch> near(IndexFilter.Near near) {
        return nearest.computeIfAbsent(
                near, _ -> index.find(near).map(AccessPlanner::branch).or(() -> byPath(near)));
    }

    private Optional<Branch> byPath(IndexFilter.Near near) {
        return index.canFind(near.otherwise())
                ? Optional.of(branch(near.otherwise()))
                : Optional.empty();
    }

    /** The index that a page before has used, although a better one may have come since. */
    private Optional<Branch> chosen(IndexFilter.Near near, int choice) {
        return choice == BY_PATH
                ? byPath(near)
                : near(near).filter(branch -> choice(branch) == choice);
    }

    /**
     * Returns the number of the chosen index. A position is a place in one index, and means nothing
     * in another.
     */
    private static int choice(Branch branch) {
        return branch.driver().isPresent() && branch.driver().get() instanceof NearCells cells
                ? cells.index().fingerprint()
                : BY_PATH;
    }

    /** The same branches, in which the other conditions that are single terms must hold too. */
    private List<Branch> withProbes(List<Branch> branches, List<IndexFilter> parts, int leading) {
        List<Bytes> probes = new ArrayList<>();
        List<OnPath> conditions = new ArrayList<>();
        for (int i = 0; i < parts.size() && probes.size() < MAX_CONDITIONS; i++) {
            if (i != leading
                    && parts.get(i) instanceof OnPath onPath
                    && onPath.ranges().isPoint()
                    && index.canFind(onPath)) {
                ValueRange point = onPath.ranges().ranges().getFirst();
                probes.add(Branch.join(IndexPathCodec.encode(onPath.path()), point.from()));
                conditions.add(onPath);
            }
        }
        if (probes.isEmpty()) {
            return branches;
        }
        return branches.stream()
                .map(
                        branch -> {
                            List<Bytes> allProbes = new ArrayList<>(branch.probes());
                            allProbes.addAll(probes);
                            List<EntryCondition> allConditions =
                                    new ArrayList<>(branch.conditions());
                            allConditions.addAll(conditions);
                            return new Branch(
                                    branch.prefix(),
                                    branch.ranges(),
                                    branch.driver(),
                                    allProbes,
                                    allConditions);
                        })
                .toList();
    }

    /** A composite index all of whose paths are filtered, only the last by more than a value. */
    private Optional<Branch> composite(List<IndexFilter> parts) {
        for (CompositeIndex composite : index.composites()) {
            Optional<CompositeRanges> ranges = CompositeRanges.find(composite, parts);
            if (ranges.isPresent()) {
                return Optional.of(
                        new Branch(
                                composite.termPrefix(),
                                ranges.get().ranges(),
                                Optional.empty(),
                                List.of(),
                                List.copyOf(ranges.get().conditions())));
            }
        }
        return Optional.empty();
    }

    /** Returns true if an item of the partition has such an entry, whatever its key. */
    boolean hasEntries(OnPath condition) {
        try (RangeWalk walk = RangeWalk.overAll(source, condition.prefix(), condition.ranges())) {
            return walk.next();
        }
    }

    /** Entries of the branches, counted up to a limit. */
    int count(List<Branch> branches, int limit) {
        int count = 0;
        for (Branch branch : branches) {
            try (RangeWalk walk = new RangeWalk(source, branch.prefix(), branch.ranges(), false)) {
                while (count < limit && walk.next()) {
                    count++;
                }
            }
            if (count >= limit) {
                return limit;
            }
        }
        return count;
    }

    /**
     * The entries that a walk would go over, counted as far as is needed to compare two walks.
     *
     * @param enough where the count may end
     */
    private int steps(List<Branch> branches, int enough) {
        if (isEveryItem(branches)) {
            return (int) Math.min(source.size().orElseThrow(), enough);
        }
        return source.counted(
                new Walk(
                        branches.stream()
                                .map(branch -> new Walk.Part(branch.prefix(), branch.ranges()))
                                .toList(),
                        enough),
                () -> sample(branches, Integer.MAX_VALUE, enough).steps);
    }

    /** Names a count of entries. */
    private record Walk(List<Part> parts, int enough) {
        record Part(Bytes prefix, ValueRanges ranges) {}
    }

    /**
     * The beginning of a walk.
     *
     * @param matches entries of items in this source
     * @param steps these and those of other items
     */
    private record Sample(int matches, int steps) {}

    /** Walks until there are so many of either. */
    private Sample sample(List<Branch> branches, int matches, int steps) {
        if (isEveryItem(branches)) {
            int known = (int) Math.min(source.size().orElseThrow(), Math.min(matches, steps));
            return new Sample(known, known);
        }
        // Who wants to know only the steps need not know whose entries they are.
        boolean isCounted = matches < Integer.MAX_VALUE;
        int found = 0;
        int walked = 0;
        for (Branch branch : branches) {
            try (RangeWalk walk = RangeWalk.overAll(source, branch.prefix(), branch.ranges())) {
                while (found < matches && walked < steps && walk.next()) {
                    walked++;
                    if (isCounted && source.mayHold(walk.entry().key())) {
                        found++;
                    }
                }
            }
        }
        return new Sample(found, walked);
    }

    /** Returns true for the one entry that each item of a key has for this key. */
    private boolean isEveryItem(List<Branch> branches) {
        return branches.size() == 1
                && branches.getFirst().isPoint()
                && source.size().isPresent()
                && source.isOfEveryItem(branches.getFirst().from());
    }

    /** Returns true if so few items match that a sort can do without the order of the index. */
    boolean isFew(IndexFilter filter, int limit) {
        if (source.size().isPresent() && source.size().getAsLong() <= limit) {
            return true;
        }
        return find(filter).filter(found -> count(found.branches(), limit) < limit).isPresent();
    }
}
